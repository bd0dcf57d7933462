import Meeting
import Metrics
import Quantity
import Scenario
import TestSupport
import Testing

@Suite("Agora and Stream meetings, packet by packet")
struct AgoraAndStreamMeetingTests {
  /// Returns the tiles of `me` at a second, by target height.
  private func heights(
    _ name: String, at second: Int, estimator: String = "oracle"
  ) throws -> [String: Int] {
    let run = try Meetings.run(Meetings.shipped(name, overrides: ["estimator=\(estimator)"]))
    let rows = run.tables.rows(of: .streams).filter {
      $0["viewer"] == "me" && $0["time_s"] == "\(second).000"
    }
    return Dictionary(grouping: rows) { $0["frame_height_px"] }.mapValues(\.count)
  }

  /// Returns the total rate of the streams granted to `me` at a second, by the ladder's rates [kbps].
  private func kilobits(_ name: String, at second: Int) throws -> Int {
    let rates = ["360": 800, "120": 45]
    return try heights(name, at: second).reduce(0) { $0 + (rates[$1.key] ?? 0) * $1.value }
  }

  @Test func sixteenRemotesTake12800KilobitsHigh7515OnScreenAnd1475WithOneHigh() throws {
    #expect(try kilobits("agora-17-default-high", at: 14) == 12_800)
    #expect(try kilobits("agora-17-default-low", at: 14) == 7_515)
    #expect(try kilobits("agora-17-one-high", at: 20) == 1_475)
  }

  @Test(arguments: ["oracle", "gcc"])
  func tilesThatWereNeverDisplayedStayHigh(estimator: String) throws {
    #expect(try heights("agora-17-default-high", at: 14, estimator: estimator) == ["360": 16])
    // After scrolling by 700 points, seven tiles are off the screen.
    let scrolled = try heights("agora-17-default-high", at: 29, estimator: estimator)
    #expect(scrolled == ["360": 9, "120": 7])
  }

  @Test func withALowDefaultOnlyTheScreenIsHigh() throws {
    #expect(try heights("agora-17-default-low", at: 14) == ["360": 9, "120": 7])
  }

  @Test func oneHighStreamAndTheRestLow() throws {
    #expect(try heights("agora-17-one-high", at: 20) == ["360": 1, "120": 15])
  }

  @Test(arguments: ["agora", "bluejeans", "janus", "stream", "vonage"])
  func everySystemReportsThatTheAppFallsBackToABuiltInLayout(policy: String) throws {
    let run = try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 2s
        policy: \(policy)
        participants:
          - {id: ann, publish: {camera: 360p30, audio: false}}
          - id: me
            capabilities: {custom-layout: false}
            view: {request: [{quality: 360p30, priority: high}]}
        """)
    ).tables
    let layouts = run.rows(of: .events).filter { $0["event"] == "layout" }
    #expect(layouts.map { $0["detail"] } == ["custom -> people"])
    #expect(layouts.map { $0["result"] } == ["not-allowed"])
  }

  @Test(arguments: ["oracle", "gcc"])
  func everybodyInAChannelOf18MissesOne(estimator: String) throws {
    let text = """
      name: test
      duration: 3s
      policy: agora
      estimator: \(estimator)
      participants:
        - id: user
          count: 18
          publish: {camera: 640x360@15}
          view: {everybody: 360p}
      """
    let run = try Meetings.run(Meetings.scenario(text))
    for viewer in 1...18 {
      let sources = run.result.tiles.filter { $0.viewer == "user-\(viewer)" }.map(\.source)
      #expect(sources.count == 16)
    }
    let missed = (1...18).map { viewer in
      (1...18).first { source in
        source != viewer
          && !run.result.tiles.contains { $0.viewer == "user-\(viewer)" && $0.source == "user-\(source)" }
      }
    }
    #expect(Set(missed).count > 3)
  }

  @Test func aWeakNetworkFallsBackToLowStreamsThenToAudioAndRecovers() throws {
    let text = """
      name: test
      duration: 40s
      policy: {name: agora, fallback: audio-only, dual-stream: enable}
      links: {line: {capacity: 10 Mbps}}
      participants:
        - {id: user, count: 4, publish: {camera: 640x360@15, audio: false}}
        - {id: me, down: line, view: {everybody: 360p}}
      timeline:
        - {at: 5s, link: me/down, capacity: 1 Mbps}
        - {at: 12s, link: me/down, capacity: 100 kbps}
        - {at: 20s, link: me/down, capacity: 10 Mbps}
      """
    let run = try Meetings.run(Meetings.scenario(text))
    let rows = run.tables.stream(viewer: "me", source: "user-1")
    #expect(rows[3]["frame_height_px"] == "360")
    #expect(rows[10]["frame_height_px"] == "108" && rows[10]["limitation"] == "bandwidth")
    // 100 kbps carry at most one low stream of 50 kbps, that of the first to join.
    let last = run.tables.stream(viewer: "me", source: "user-4")
    #expect(last[18]["frame_height_px"] == "" && last[18]["limitation"] == "bandwidth")
    #expect(rows[38]["frame_height_px"] == "360" && rows[38]["limitation"] == "none")
  }

  @Test func aHiddenTileGetsNoBytesUnlessItsTrackIsKept() throws {
    let run = try Meetings.run(Meetings.shipped("gallery-scroll"))
    let hidden = run.tables.stream(viewer: "viewer", source: "person-2")
    #expect(hidden[33]["bitrate_bps"] == "0" && hidden[33]["state"] == "hidden")
    #expect(hidden[38]["state"] == "receiving")
    let kept = try Meetings.run(
      Meetings.shipped("gallery-scroll", overrides: ["policy={name: stream, hidden: keep}"]))
    #expect(kept.tables.stream(viewer: "viewer", source: "person-2")[33]["state"] == "receiving")
  }

  @Test func aGrowingTileIsServedAtOnceAndAShrinkingOneLater() throws {
    // Shrunk at 22 s and grown at 26 s: the change takes effect after 600 and 20 ms with JavaScript and after 10 ms
    // with the guide's renderer, plus 5 ms of uplink.
    for (client, shrunk, grown) in [
      ("javascript, reported-size: pixels", "22.605", "26.025"), ("guide", "22.015", "26.015"),
    ] {
      let run = try Meetings.run(
        Meetings.shipped("gallery-scroll", overrides: ["policy={name: stream, client: \(client)}"]))
      let decisions = run.tables.rows(of: .decisions).filter { $0["source"] == "person-1" }
      #expect(decisions.contains { $0["time_s"] == shrunk && $0["given"] == "q.2" })
      #expect(decisions.contains { $0["time_s"] == grown && $0["given"] == "f.2" })
    }
  }

  @Test func inTheBackgroundOnlyThePictureInPictureGoesOn() throws {
    let run = try Meetings.run(Meetings.shipped("picture-in-picture"))
    let kept = run.tables.stream(viewer: "phone", source: "teacher")
    #expect(kept[20].number("bitrate_bps") > 100_000)
    #expect(kept[20].integerIfPresent("requested_height_px") == 480)
    for source in ["student-1", "student-2", "student-3"] {
      let rows = run.tables.stream(viewer: "phone", source: source)
      #expect(rows[20]["bitrate_bps"] == "0" && rows[35]["state"] == "receiving")
    }
  }

  @Test func theOwnCameraPausesInTheBackgroundUnlessItMayMultitask() throws {
    for (capabilities, bitrate) in [("{}", 0..<1), ("{multitasking-camera: true}", 100_000..<5_000_000)] {
      let text = """
        name: test
        duration: 12s
        policy: stream
        participants:
          - {id: phone, capabilities: \(capabilities), publish: {camera: 720p30}, view: {everybody: 180p}}
          - {id: other, publish: {camera: 720p30}, view: {everybody: 720p}}
        timeline: [{at: 4s, participant: phone, background: {picture-in-picture: other}}]
        """
      let run = try Meetings.run(Meetings.scenario(text))
      let rows = run.tables.stream(viewer: "other", source: "phone")
      #expect(bitrate.contains(rows[10].integer("bitrate_bps")))
    }
  }

  @Test func inTheBackgroundWithoutAPictureOnlyVoicesGoOn() throws {
    let run = try Meetings.run(Meetings.shipped("background-without-picture"))
    let rows = run.tables.rows(of: .participants).filter { $0["participant"] == "phone" }
    #expect(rows[20]["videos_received"] == "0")
    #expect(rows[20].integer("audio_bitrate_bps") > 50_000)
    #expect(rows[35]["videos_received"] == "4")
  }
}
