import Ladder
import Meeting
import Metrics
import Plan
import Quantity
import Scenario
import TestSupport
import Testing

@Suite("Vonage meetings, packet by packet")
struct VonageMeetingTests {
  private func meeting(
    _ policy: String = "vonage", view: String = "everybody: 720p",
    links: String = "line: {capacity: 100 Mbps}",
    publishers: String = "[ann, bob]", _ timeline: String = "[]", duration: String = "16s"
  ) -> String {
    let ids = publishers.dropFirst().dropLast().split(separator: ",").map { $0.filter { $0 != " " } }
    let people = ids.map { "  - {id: \($0), up: line, publish: {camera: 720p30, audio: false}}" }
      .joined(separator: "\n")
    return """
      name: test
      duration: \(duration)
      policy: \(policy)
      links: {\(links)}
      participants:
      \(people)
        - {id: viewer, down: line, view: {\(view)}}
      timeline: \(timeline)
      """
  }

  private func heights(_ run: MemorySink, _ source: String, at seconds: [Int]) -> [String] {
    let rows = run.stream(viewer: "viewer", source: source)
    return seconds.map { rows[$0 - 1]["frame_height_px"] }
  }

  private func events(_ run: MemorySink, of participant: String) -> [String] {
    run.rows(of: .events).filter {
      $0["participant"] == participant && $0["event"].hasPrefix("video")
    }
    .map { "\($0["time_s"]) \($0["event"]) \($0["detail"])" }
  }

  /// An encoder starts with 270 lines and is slow to follow an uplink of 800 kbit/s; the receiver's link carries 1000.
  @Test func aSlowEncoderIsNotItsReceiversBandwidth() throws {
    let run = try Meetings.tables(
      """
      name: test
      duration: 14s
      policy: vonage
      estimator: {up: gcc, down: oracle}
      participants:
        - {id: c, publish: {camera: {capture: 640x360@15, ladder: single}, audio: false}, up: {capacity: 800 kbps, delay: 20 ms}}
        - {id: v, view: {everybody: 640x360}, down: {capacity: 1100 kbps, delay: 5 ms}}
      """)
    let small = run.stream(viewer: "v", source: "c").filter { $0["frame_height_px"] == "270" }
    #expect(small.count > 5)
    #expect(small.allSatisfy { ["starting", "sender-uplink"].contains($0["limitation"]) }, "\(small)")
  }

  @Test func eachSubscriberHasAPreferredResolutionAndFrameRate() throws {
    let tables = try Meetings.tables(
      meeting(
        view: "everybody: 180p, preferred: [{participant: ann, size: 640x480}]",
        """

          - {at: 4s, participant: viewer, preferred: {participant: ann, size: none}}
          - {at: 8s, participant: viewer, preferred: {size: 640x480, fps: 7}}
          - {at: 12s, participant: viewer, preferred: {participant: bob, size: auto, fps: none}}
        """))
    #expect(heights(tables, "ann", at: [3, 7, 11, 16]) == ["360", "720", "360", "360"])
    #expect(heights(tables, "bob", at: [3, 7, 11, 16]) == ["720", "720", "360", "180"])
    let rates = ["ann", "bob"].map { source in
      let rows = tables.stream(viewer: "viewer", source: source)
      return [7, 11, 16].map { rows[$0 - 1].number("frames_per_second") }
    }
    #expect(zip(rates[0], [30, 7, 7]).allSatisfy { abs($0 - $1) <= 1 })
    #expect(zip(rates[1], [30, 7, 30]).allSatisfy { abs($0 - $1) <= 1 })
  }

  @Test(arguments: [("auto", 2, 1), ("auto", 3, 3), ("on", 2, 3), ("off", 3, 1)])
  func scalableVideoIsAutomaticallyOnWithMoreThanTwoClients(mode: String, clients: Int, encodings: Int) throws
  {
    let scenario = try Meetings.scenario(
      meeting(
        "{name: vonage, scalable-video: \(mode)}", publishers: clients == 2 ? "[ann]" : "[ann, bob]",
        "[{at: 2s, participant: viewer, preferred: {participant: ann, size: 320x240}}]"))
    #expect(scenario.plan.participants[0].camera?.ladder.encodings.count == encodings)
    let tables = try Meetings.run(scenario).tables
    #expect(heights(tables, "ann", at: [6]) == [encodings == 3 ? "180" : "720"])
    let result = tables.rows(of: .events).first { $0["event"] == "preferred" }?["result"]
    #expect(result == (encodings == 3 ? "ok" : "ok: no effect without scalable video"))
  }

  @Test func withoutScalableVideoTheWorstSubscriberPullsEverybodyDown() throws {
    for (mode, range) in [("off", 400...750), ("on", 1500...2800)] {
      let text = """
        name: test
        duration: 16s
        policy: {name: vonage, scalable-video: \(mode), subscriber-audio-fallback: false}
        links: {narrow: {capacity: 700 kbps}}
        participants:
          - {id: ann, publish: {camera: 720p30, audio: false}}
          - {id: good, view: {everybody: 720p}}
          - {id: poor, down: narrow, view: {everybody: 720p}}
        """
      let tables = try Meetings.tables(text)
      let rates = tables.stream(viewer: "good", source: "ann").suffix(8)
        .map { $0.integer("bitrate_bps") / 1000 }
      #expect(range.contains(rates.reduce(0, +) / 8), "\(mode): \(rates)")
      let poor = tables.stream(viewer: "poor", source: "ann").suffix(8)
      #expect(poor.allSatisfy { $0["state"] == "receiving" && $0.integer("bitrate_bps") > 200_000 })
    }
  }

  @Test func aSubscriberOnAWeakDownlinkFallsBackToAudioAndRecovers() throws {
    let tables = try Meetings.tables(
      meeting(
        links: "line: {capacity: 10 Mbps}",
        """

          - {at: 6s, link: viewer/down, capacity: 300 kbps}
          - {at: 12s, link: viewer/down, capacity: 10 Mbps}
        """, duration: "22s"))
    // Two streams need 300 kbit/s; the first alone needs 150, or 195 without a warning.
    let seen = events(tables, of: "viewer")
    #expect(
      seen.map { String($0.drop { $0 != " " }.dropFirst()) } == [
        "videoDisableWarning bob: quality", "videoDisabled bob: quality", "videoEnabled bob: quality",
      ])
    // From 12 to 17 s only the recovery time keeps the video away.
    let words = tables.stream(viewer: "viewer", source: "bob").map { $0["limitation"] }
    #expect(words[9..<12].allSatisfy { $0 == "bandwidth" } && words[12..<17].allSatisfy { $0 == "hold" })
    let times = seen.compactMap { Double($0.prefix { $0 != " " }) }
    #expect((6...6.4).contains(times[0]) && times[1] - times[0] < 0.21 && (17...17.5).contains(times[2]))
    let bob = tables.stream(viewer: "viewer", source: "bob")
    #expect(bob[10]["state"] == "paused" && bob[10]["limitation"] == "bandwidth")
    #expect(bob[10]["bitrate_bps"] == "0" && bob[20]["frame_height_px"] == "720")
    #expect(tables.stream(viewer: "viewer", source: "ann")[10]["state"] == "receiving")
  }

  @Test func lossAbove15PercentDisablesVideo() throws {
    for (loss, isDisabled) in [("8 %", false), ("25 %", true)] {
      let tables = try Meetings.tables(
        meeting(
          links: "line: {capacity: 100 Mbps}", publishers: "[ann, bob]",
          "[{at: 6s, link: viewer/down, loss: \(loss)}]", duration: "12s"))
      #expect(
        events(tables, of: "viewer").contains { $0.contains("videoDisabled ann") } == isDisabled, "\(loss)")
    }
  }

  /// The router passes on the gaps left by a publisher's uplink; the viewer's own downlink adds none.
  @Test(arguments: ["oracle", "gcc"])
  func lossesOnAPublishersUplinkAreNoneOfItsSubscribersDownlinks(estimator: String) throws {
    let tables = try Meetings.tables(
      meeting(
        links: "line: {capacity: 100 Mbps}", publishers: "[ann, bob]",
        "[{at: 6s, link: ann/up, loss: 25 %}]", duration: "12s") + "\nestimator: \(estimator)")
    #expect(events(tables, of: "viewer").isEmpty)
    let lost = tables.stream(viewer: "viewer", source: "ann").suffix(4)
      .map { $0.integer("packets_lost") }
    #expect(lost.reduce(0, +) > 20, "\(lost)")
  }

  /// A client that accepts 400 kbit/s of 24 cameras does not have a weak downlink: nobody falls back to audio. On a
  /// link of 250 kbit/s five of six do, and return once the link carries everything that the client accepts.
  @Test func whatAClientDoesNotAcceptIsNoWeakDownlink() throws {
    func names(_ cap: Int, _ count: Int, _ capacity: String) throws -> [String] {
      let tables = try Meetings.tables(
        """
        name: cap
        duration: 40s
        policy: vonage
        links: {line: {capacity: \(capacity), delay: 20 ms}}
        participants:
          - {id: p, count: \(count), publish: {camera: 720p30, audio: false}}
          - {id: viewer, down: line, capabilities: {receive-720p: true, receive-cap: \(cap) kbps}, view: {everybody: 320x180}}
        """)
      return tables.rows(of: .events).filter { $0["participant"] == "viewer" }.map { $0["event"] }
    }
    #expect(try names(400, 24, "20 Mbps").filter { $0.hasPrefix("video") && $0 != "video-streams" } == [])
    let thin = try names(700, 6, "[{at: 0s, to: 250 kbps}, {at: 18s, to: 5 Mbps}]")
    #expect(thin.count { $0 == "videoDisabled" } == 5 && thin.count { $0 == "videoEnabled" } == 5, "\(thin)")
  }

  @Test func withTheFallbackOffASubscriberKeepsItsVideo() throws {
    let tables = try Meetings.tables(
      meeting(
        "{name: vonage, subscriber-audio-fallback: false}", links: "line: {capacity: 10 Mbps}",
        "[{at: 6s, link: viewer/down, capacity: 300 kbps}]"))
    #expect(events(tables, of: "viewer").isEmpty)
    #expect(tables.stream(viewer: "viewer", source: "bob")[12]["state"] == "receiving")
  }

  @Test(arguments: [true, false])
  func aPublisherOnAWeakUplinkFallsBackToAudioIfItsFallbackIsOn(isOn: Bool) throws {
    let tables = try Meetings.tables(
      meeting(
        "{name: vonage, publisher-audio-fallback: \(isOn), subscriber-audio-fallback: false}",
        links: "line: {capacity: 10 Mbps}",
        """

          - {at: 6s, link: ann/up, capacity: 120 kbps}
          - {at: 12s, link: ann/up, capacity: 10 Mbps}
        """, duration: "22s"))
    let seen = events(tables, of: "ann").map { String($0.drop { $0 != " " }.dropFirst()) }
    #expect(
      seen
        == (isOn
          ? ["videoDisableWarning", "videoDisabled", "videoEnabled"].map { "\($0) publisher: quality" } : []))
    let ann = tables.stream(viewer: "viewer", source: "ann")
    #expect(ann[10]["state"] == (isOn ? "muted" : "receiving"))
    #expect(ann[20]["state"] == "receiving" && ann[20]["frame_height_px"] == "720")
  }

  /// Nobody speaks: a packet of 317 bytes a second, feedback, and a probe every 5 s are all that a weak uplink carries
  /// while video is withheld. A probe finds within 5 s that the link is wide again, which has to last for 5 s.
  @Test(arguments: UInt64(1)...2)
  func anUplinkIsProbedAndNotFilledUntilAPublishersVideoReturns(seed: UInt64) throws {
    let text = meeting(
      "{name: vonage, publisher-audio-fallback: true, subscriber-audio-fallback: false}",
      links: "line: {capacity: 10 Mbps}", publishers: "[ann]",
      """

        - {at: 6s, link: ann/up, capacity: 120 kbps}
        - {at: 30s, link: ann/up, capacity: 10 Mbps}
      """, duration: "45s")
    let tables = try Meetings.run(Meetings.scenario(text + "\nestimator: gcc"), seed: seed).tables
    let rates = tables.rows(of: .participants).filter { $0["participant"] == "ann" }
      .map { $0.number("up_bitrate_bps") }
    #expect(rates[10..<30].reduce(0, +) / 20 < 20_000, "\(rates)")
    let back = events(tables, of: "ann").first { $0.contains("videoEnabled") }
    let at = back.flatMap { Double($0.prefix { $0 != " " }) } ?? 0
    #expect(at > 35 && at < 43, "\(at)")
  }

  @Test func inTheBackgroundVideoStopsUnlessTheSubscribersObserverIsRemoved() throws {
    for (observers, ann, bob, result) in [
      ("[]", false, false, "ok: the resign observer stops the window's video"),
      ("[{participant: ann, observer: removed}]", true, false, "ok"),
      (
        "[{participant: bob, observer: removed}]", false, true,
        "ok: the resign observer stops the window's video"
      ),
      ("[{participant: ann, observer: removed}, {participant: bob, observer: removed}]", true, true, "ok"),
    ] {
      let tables = try Meetings.tables(
        meeting(
          view: "everybody: 720p, picture-in-picture: {participant: ann}, observers: \(observers)",
          "[{at: 4s, participant: viewer, background: true}, {at: 10s, participant: viewer, foreground: true}]"
        ))
      #expect(heights(tables, "ann", at: [8, 15]) == [ann ? "360" : "", "720"], "\(observers)")
      #expect(heights(tables, "bob", at: [8, 15]) == [bob ? "720" : "", "720"], "\(observers)")
      #expect(tables.rows(of: .events).first { $0["event"] == "background" }?["result"] == result)
    }
  }

  @Test func preferencesAreVonagesOnly() {
    #expect(throws: Meetings.Failure.self) {
      try Meetings.scenario(meeting("stream", view: "everybody: 720p, preferred: [{size: 640x480}]"))
    }
  }

  /// `bob`, without a preference, is served before `ann` at 320x180, whatever their order.
  @Test func ranksAreTheOrderOfService() throws {
    let text = meeting(
      "vonage", view: "everybody: 320x180, preferred: [{participant: ann, size: 320x180}]",
      links: "line: {capacity: 4 Mbps}", "[]")
    let rows = try Meetings.tables(text.replacing("duration: 16s", with: "duration: 16s\nestimator: oracle"))
      .rows(of: .decisions).filter { $0["viewer"] == "viewer" && $0["given"] != "" }
    let last = ["ann", "bob"].compactMap { source in rows.last { $0["source"] == source } }
    #expect(last.map { $0["rank"] } == ["2", "1"])
    #expect(last.map { $0["given_before_bps"] == "0" } == [false, true])
  }
}
