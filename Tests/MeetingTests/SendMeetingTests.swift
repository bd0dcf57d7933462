import Decision
import Ladder
import Meeting
import Metrics
import Plan
import Quantity
import Scenario
import TestSupport
import Testing

/// Senders whose apps change their parameters during a call.
@Suite("Sender parameters")
struct SendMeetingTests {
  private static let layers = ["q", "h", "f"]

  private func run(
    _ timeline: [String], policy: String = "jitsi", estimator: String = "oracle", seconds: Double = 30,
    camera: String = "{capture: 720p30, ladder: webrtc-vp8}", publish: String = "", up: String = "20 Mbps",
    size: String = "1280x720", further: String = ""
  ) throws -> MemorySink {
    try Meetings.run(
      Meetings.scenario(
        """
        name: send
        duration: \(seconds)s
        policy: \(policy)
        estimator: \(estimator)
        participants:
          - id: a
            up: {capacity: \(up), delay: 10 ms}
            publish: {camera: \(camera), audio: false\(publish)}
          - {id: v, capabilities: {receive-720p: true}, view: {tiles: [{participant: a, size: \(size)}]}}
        \(further)
        timeline: [\(timeline.map { "{at: \($0)}" }.joined(separator: ", "))]
        """)
    ).tables
  }

  private func a(_ time: String, _ change: String) -> String { "\(time), participant: a, send: {\(change)}" }

  /// Returns the sizes of the encodings in a second; `-` for an encoding without a frame.
  private func sizes(_ tables: MemorySink, at second: Int, of source: String = "a") -> String {
    rows(tables, at: second, of: source).map {
      $0["frame_width_px"].isEmpty ? "-" : "\($0["frame_width_px"])x\($0["frame_height_px"])"
    }.joined(separator: " ")
  }

  private func rows(_ tables: MemorySink, at second: Int, of source: String = "a") -> [Row] {
    tables.rows(of: .sent).filter { $0["source"] == source && $0["time_s"] == "\(second).000" }
  }

  private func targets(_ tables: MemorySink, at second: Int) -> [String] {
    rows(tables, at: second).map { $0["target_bitrate_bps"] }
  }

  private func picture(_ tables: MemorySink, at second: Int) throws -> (height: String, word: String) {
    let row = try #require(tables.stream(viewer: "v", source: "a").first { $0["time_s"] == "\(second).000" })
    return (row["frame_height_px"], row["limitation"])
  }

  /// Whichever way the app turns encodings off, janus requests them all the time.
  @Test(arguments: ["encodings: [q]", "maximum: 500 kbps", "maximum-height: 100"])
  func whatAnAppTurnsOffIsStillWanted(change: String) throws {
    let tables = try run([a("4.2s", change)], policy: "janus", seconds: 10)
    let off = rows(tables, at: 9).filter { $0["active"] == "false" }
    #expect(!off.isEmpty && off.allSatisfy { $0["wanted"] == "true" }, "\(rows(tables, at: 9))")
  }

  /// An encoding that the app turns back on has only just started; the uplink carries it.
  @Test(arguments: ["bluejeans", "livekit", "stream", "janus", "jitsi"])
  func whatAnAppTurnsOnAgainIsNoShortUplink(policy: String) throws {
    let tables = try run(
      [
        a("6.4s", "capture: 480x270@24"), a("12.8s", "capture: 720p30"), a("20.1s", "maximum-height: 180"),
        a("25.7s", "maximum-height: none"),
      ],
      policy: policy, seconds: 30, camera: "720p30")
    let words = tables.stream(viewer: "v", source: "a").filter { $0.number("time_s") > 2 }
      .map { $0["limitation"] }
    #expect(!words.contains("sender-uplink") && words.last == "none", "\(words)")
  }

  /// A viewer of an encoding that is turned off gets the one below within a second, under Jitsi, whose bridge does not
  /// react to an encoding that stops, within 5.005 s, and the first again when it is back: in every system in which
  /// senders set their own rates.
  @Test(arguments: RandomMeeting.allPolicies.filter { $0 != "gso" })
  func encodingsGoOffAndOn(policy: String) throws {
    let tables = try run(
      [a("6.3s", "encodings: [q, h]"), a("13.7s", "encodings: [q, h, f]")], policy: policy, seconds: 40)
    #expect(try picture(tables, at: 6).height == "720")
    let first = policy == "jitsi" ? 13 : 8
    for second in 8...13 {
      if second >= first { #expect(try picture(tables, at: second).height == "360", "\(second)") }
      #expect(sizes(tables, at: second).hasSuffix(" -"), "\(second)")
      #expect(rows(tables, at: second)[2]["active"] == "false")
    }
    let words = try (first == 13 ? 13...13 : 9...13).map { try picture(tables, at: $0).word }
    // If the whole source is requested, whatever it sends, nothing is missing.
    #expect(words.allSatisfy { ["sender", "none"].contains($0) }, "\(words)")
    #expect(try picture(tables, at: 38).height == "720")
    #expect(rows(tables, at: 38)[2]["active"] == "true")
  }

  /// Whatever an app does to its sender, a viewer requests 720p30 as before, and the sender is why it gets less.
  @Test(
    arguments: ["agora", "{name: vonage, scalable-video: on}", "livekit"],
    ["encodings: [LOW]", "maximum-height: 180", "scale-down-by: 2"])
  func whatAnAppTurnsOffIsStillRequested(policy: String, change: String) throws {
    let low = policy == "agora" ? "low" : "q"
    let tables = try run(
      [a("4.2s", change.replacing("LOW", with: low))], policy: policy, seconds: 12, camera: "720p30")
    let rows = tables.stream(viewer: "v", source: "a").filter { $0.number("time_s") > 8 }
    #expect(rows.map { $0["requested_height_px"] } == ["720", "720", "720", "720"])
    #expect(rows.allSatisfy { $0["requested_fps"] == "30.00" }, "\(rows.map { $0["requested_fps"] })")
    #expect(rows.allSatisfy { $0["limitation"] == "sender" }, "\(rows.map { $0["limitation"] })")
  }

  /// A tile of 180 lines under LiveKit requests q; with f alone the server forwards that, and q again once it is back.
  @Test func aTileIsRequestedAsPublished() throws {
    let tables = try run(
      [a("4.2s", "encodings: [f]"), a("12.2s", "encodings: [q, h, f]")], policy: "livekit", seconds: 24,
      camera: "720p30", size: "320x180")
    let requested = Set(tables.stream(viewer: "v", source: "a").dropFirst(2).map { $0["requested_fps"] })
    #expect(requested == ["20.00"])
    #expect(try picture(tables, at: 10).height == "720")
    #expect(try picture(tables, at: 23).height == "180")
  }

  /// q and h take 150 and 500 kbit/s, f at least 600: of 1249 kbit/s the rest goes to h, up to its maximum of 700.
  @Test(arguments: [(1249, ["150000", "700000", "0"]), (1250, ["150000", "500000", "600000"])])
  func aMaximumOfTheSource(kilobits: Int, expected: [String]) throws {
    let tables = try run([
      a("4.2s", "maximum: \(kilobits) kbps"), a("10.2s", "maximum: 500 kbps"), a("17.2s", "maximum: none"),
    ])
    #expect(targets(tables, at: 4) == ["150000", "500000", "2500000"])
    #expect(targets(tables, at: 9) == expected)
    #expect(targets(tables, at: 15) == ["150000", "350000", "0"])
    // Jitsi's bridge looks again within 5.005 s.
    #expect(try picture(tables, at: 17) == ("360", "sender"))
    #expect(targets(tables, at: 20) == ["150000", "500000", "2500000"])
    #expect(try picture(tables, at: 20).height == "720")
    #expect(rows(tables, at: 15).allSatisfy { $0["quality_limitation_reason"] == "none" })
  }

  /// A single encoding limited to 60 kbit/s on a wide uplink gives up lines as on a narrow one, because of its sender.
  @Test(arguments: ["maximum: 60 kbps", "maximum: {f: 60 kbps}"])
  func aMaximumMakesASingleEncodingSmaller(change: String) throws {
    let tables = try run([a("4.2s", change)], camera: "{capture: 720p30, ladder: single}")
    let row = try #require(rows(tables, at: 28).first)
    #expect(row.number("frame_height_px") < 600 && row["target_bitrate_bps"] == "60000")
    #expect(try picture(tables, at: 28).word == "sender")
  }

  @Test func maximumsOfEncodings() throws {
    let tables = try run([a("4.2s", "maximum: {q: 90 kbps, f: 700 kbps}"), a("9.2s", "maximum: none")])
    #expect(targets(tables, at: 8) == ["90000", "500000", "700000"])
    #expect(targets(tables, at: 12) == ["150000", "500000", "2500000"])
  }

  /// A camera that is set to another format sends the same as one published with it.
  @Test(arguments: ["360p15", "540p24", "360x640@30", "720p7.5"])
  func aCaptureIsLikeAPublishedOne(capture: String) throws {
    let changed = try run([a("4.2s", "capture: \(capture)")])
    let published = try run([], camera: "{capture: \(capture), ladder: webrtc-vp8}")
    let later = rows(changed, at: 25).filter { !$0["frame_width_px"].isEmpty }
    let own = rows(published, at: 25)
    #expect(later.count == own.count)
    for (row, other) in zip(later, own) {
      for column in ["layer", "frame_width_px", "frame_height_px", "target_bitrate_bps"]
      where own.count > 1 || column != "layer" {
        #expect(row[column] == other[column], "\(column)")
      }
      #expect(abs(row.number("frames_per_second") - other.number("frames_per_second")) <= 1)
    }
    let seen = try picture(changed, at: 25)
    #expect(
      try seen.height == picture(published, at: 25).height && seen.word == picture(published, at: 25).word)
  }

  /// Documented rates follow the frame rate as they do for a published camera, with all three temporal layers kept.
  @Test func aSlowerCaptureKeepsItsTemporalLayers() throws {
    let tables = try run([a("4.2s", "capture: 720p15")], policy: "stream", camera: "720p30")
    #expect(rows(tables, at: 10)[2]["frames_per_second"] == "15.00")
    let seen = tables.stream(viewer: "v", source: "a")
    #expect(seen[5...].allSatisfy { $0["frames_per_second"] == "15.00" && $0["freeze_count"] == "0" })
    // With 1250 kbit/s at 30 frames, temporal layers of 40, 20 and 40 % leave 60 % at 15.
    #expect(targets(tables, at: 10)[2] == "750000")
  }

  /// 300 lines are 532x300 of a 16:9 picture, which h carries in full; f would duplicate it.
  @Test func aMaximumHeight() throws {
    let tables = try run([
      a("4.2s", "maximum-height: 300"), a("9.2s", "maximum-height: {f: 400}"),
      a("14.2s", "maximum-height: none"),
    ])
    #expect(sizes(tables, at: 8) == "318x180 532x300 -")
    #expect(try picture(tables, at: 8) == ("300", "sender"))
    // The source's own limit applies in addition to an encoding's.
    #expect(sizes(tables, at: 13) == "318x180 532x300 -")
    #expect(sizes(tables, at: 18) == "320x180 640x360 1280x720")
    let single = try run([a("4.2s", "maximum-height: 300")], camera: "{capture: 720p30, ladder: single}")
    #expect(sizes(single, at: 12) == "532x300")
    // A lone encoding has the maximum of its size, not that of one among several.
    #expect(targets(single, at: 12) == ["1700000"])
    let ofOne = try run([a("4.2s", "maximum-height: {f: 400}")])
    #expect(sizes(ofOne, at: 8) == "320x180 640x360 710x400")
  }

  @Test func scalingDown() throws {
    let tables = try run([
      a("4.2s", "scale-down-by: 2"), a("9.2s", "scale-down-by: none"), a("14.2s", "scale-down-by: {f: 1.5}"),
      a("19.2s", "scale-down-by: 1.25"),
    ])
    #expect(sizes(tables, at: 8) == "160x90 320x180 640x360")
    // libwebrtc's rates follow the size: 360 lines have 500, at most 700 kbit/s.
    #expect(targets(tables, at: 8)[2] == "700000")
    #expect(sizes(tables, at: 13) == "320x180 640x360 1280x720")
    #expect(sizes(tables, at: 18) == "320x180 640x360 852x480")
    #expect(sizes(tables, at: 23) == "256x144 512x288 852x480")
  }

  @Test func maximumsOfFrames() throws {
    let tables = try run([
      a("4.2s", "maximum-fps: 10"), a("12.2s", "maximum-fps: {q: 5}"), a("20.2s", "maximum-fps: none"),
    ])
    func frames(_ second: Int) -> [String] { rows(tables, at: second).map { $0["frames_per_second"] } }
    #expect(frames(10) == ["10.00", "10.00", "10.00"])
    #expect(frames(18) == ["5.00", "10.00", "10.00"])
    #expect(frames(25) == ["30.00", "30.00", "30.00"])
    // Limits that an app knows remain: only the pictures are fewer.
    #expect(targets(tables, at: 10) == ["150000", "500000", "2500000"])
  }

  /// At 60 kbit/s one source gives up lines, and then frames instead.
  @Test func aDegradationPreference() throws {
    let tables = try run(
      [a("0.2s", "maximum: 60 kbps"), a("20.3s", "degradation: maintain-resolution")], seconds: 40,
      camera: "{capture: 720p30, ladder: single}")
    let before = rows(tables, at: 20)[0]
    #expect(before.number("frame_height_px") < 400 && before.number("frames_per_second") > 25)
    let after = rows(tables, at: 38)[0]
    #expect(after["frame_height_px"] == "720" && after.number("frames_per_second") < 25)
    #expect(after["quality_limitation_reason"] == "none")
  }

  /// libwebrtc's allocator gives each stream 30 kbit/s, and the rest by weight: 1 and 1, then 4 and 1, then 1 and 2.
  @Test func prioritiesOfASendersStreams() throws {
    let tables = try run(
      [
        a("8.3s", "of: screen, priority: high"), a("14.3s", "of: screen, priority: low"),
        a("14.3s", "of: camera, priority: medium"),
      ], camera: "{capture: 720p30, ladder: single}", publish: ", screen: {capture: 1080p5, ladder: single}",
      up: "900 kbps")
    func ratio(_ second: Int) throws -> Double {
      let camera = try #require(rows(tables, at: second).first).number("target_bitrate_bps")
      let screen = try #require(rows(tables, at: second, of: "a/screen").first).number("target_bitrate_bps")
      return (screen - 30_000) / (camera - 30_000)
    }
    for (second, expected) in [(7, 1.0), (13, 4), (28, 0.5)] {
      let own = try ratio(second)
      // Targets have steps of 1/500 of a source's full rate, 5 kbit/s.
      #expect(abs(own / expected - 1) < 0.06, "\(second): \(own)")
    }
  }

  @Test func settingsEndWithTheCall() throws {
    let tables = try run([
      "1s, participant: a, send: {encodings: [q]}", "5s, participant: a, leave: true",
      "6s, participant: a, send: {encodings: [h]}", "8s, participant: a, join: true",
    ])
    #expect(sizes(tables, at: 4) == "320x180 - -")
    #expect(sizes(tables, at: 14) == "320x180 640x360 1280x720")
    let results = tables.rows(of: .events).filter { $0["event"] == "send" }.map {
      "\($0["detail"]) \($0["result"])"
    }
    #expect(results == ["encodings q ok", "encodings h notInMeeting"])
  }

  /// A controller keeps ordering the rates of its senders.
  @Test func controllersGoOnOrdering() throws {
    let tables = try run([a("4.2s", "encodings: [q]")], policy: "gso", camera: "720p30")
    #expect(tables.rows(of: .events).filter { $0["event"] == "send" }.map { $0["result"] } == ["unsupported"])
    #expect(try picture(tables, at: 20).height == "720")
  }

  /// Only the lowest encoding, over a narrow uplink, in a gallery of 25 with a late joiner.
  @Test(arguments: ["jitsi", "livekit", "mediasoup", "agora"], ["gcc", "oracle"])
  func aGalleryOfLowEncodings(policy: String, estimator: String) throws {
    let low = policy == "agora" ? "low" : "q"
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: gallery
        duration: 14.5s
        policy: \(policy)
        estimator: \(estimator)
        participants:
          - {id: a, up: {capacity: 300 kbps, delay: 20 ms}, publish: {camera: 720p30}}
          - {id: b, count: 24, publish: {camera: 180p15, audio: false}}
          - {id: v, join: 4.7s, view: {everybody: 320x180}}
        timeline: [{at: 2.2s, participant: a, send: {encodings: [\(low)]}}]
        """)
    ).tables
    let sent = tables.rows(of: .sent).filter {
      $0["source"] == "a" && $0["layer"] != low && $0.number("time_s") > 3
    }
    #expect(sent.allSatisfy { $0["active"] == "false" && $0["frame_width_px"].isEmpty })
    let seen = tables.stream(viewer: "v", source: "a").suffix(3)
    #expect(seen.allSatisfy { $0.number("frames_per_second", ifEmpty: 0) > 0 })
  }

  /// A standalone decision takes the timeline's settings up to then into account: h needs 150 kbit/s beside q's 150.
  @Test func aDecisionKnowsTheSettings() throws {
    let plan = try Meetings.scenario(
      """
      name: send
      policy: jitsi
      participants:
        - {id: a, publish: {camera: {capture: 720p30, ladder: webrtc-vp8}}}
        - {id: v, view: {stage: a}}
      timeline:
        - {at: 5s, participant: a, send: {encodings: [q, h]}}
        - {at: 8s, participant: a, send: {maximum: 299 kbps}}
        - {at: 9s, participant: a, leave: true}
      """
    ).plan
    for (second, expected) in [(4, "2.2"), (6, "1.2"), (8, "0.2")] as [(Int64, String)] {
      let decision = try #require(
        StandaloneAllocation(plan, viewer: 1, at: SimTime.zero + SimDuration.seconds(second), previous: []))
      let given = decision.rows(budget: BitRate.megabits(20)).rows.map { row in
        row.layer.map { "\($0.id.encoding).\($0.id.temporal)" } ?? "-"
      }
      #expect(given == [expected], "\(second)")
    }
  }

  /// An app's frames replace the camera: the app's sender settings remain.
  @Test func customFramesKeepTheSettings() throws {
    let tables = try run(
      [
        a("2s", "encodings: [q, h]"), "6s, participant: a, source: custom",
        "7s, participant: a, push-frames: {fps: 24, size: 1280x720}", a("15s", "encodings: [q, h, f]"),
        "20s, participant: a, push-frames: stop", "20s, participant: a, source: camera",
        a("22s", "maximum-fps: 10"),
      ], policy: "janus", camera: "{capture: 720p30, ladder: webrtc-vp8}")
    #expect(sizes(tables, at: 12) == "320x180 640x360 -")
    #expect(sizes(tables, at: 19) == "320x180 640x360 1280x720")
    #expect(rows(tables, at: 28).map { $0["frames_per_second"] } == ["10.00", "10.00", "10.00"])
  }
}
