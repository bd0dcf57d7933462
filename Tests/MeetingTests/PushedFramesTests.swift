import Meeting
import Metrics
import Quantity
import TestSupport
import Testing

@Suite("Pushed frames, call by call")
struct PushedFramesTests {
  private func run(_ text: String) throws -> MemorySink {
    try Meetings.run(Meetings.scenario("name: test\n" + text)).tables
  }

  /// An app that publishes frames, and a viewer that requests 720p30.
  private func shop(_ publish: String, _ seconds: Int, policy: String = "bluejeans", _ timeline: String)
    throws
    -> MemorySink
  {
    try run(
      """
      duration: \(seconds)s
      policy: \(policy)
      participants:
        - {id: shop, publish: {\(publish), audio: false}}
        - {id: customer, capabilities: {receive-720p: true}, view: {request: [{quality: 720p30, priority: high}]}}
      timeline:
      \(timeline.isEmpty ? "  []" : timeline)
      """)
  }

  /// Returns the app's calls and their results: time, event, detail, result.
  private func events(_ tables: MemorySink) -> [String] {
    tables.rows(of: .events).filter { $0["participant"] == "shop" && $0["event"] != "join" }
      .map { row in
        ["time_s", "event", "detail", "result"].map { row[$0] }
          .filter { !$0.isEmpty }.joined(separator: " ")
      }
  }

  /// Returns the number of frames that a viewer was shown in the intervals ending at these seconds.
  private func frames(_ tables: MemorySink, _ viewer: String, _ seconds: ClosedRange<Int>) -> Int {
    let rows = tables.stream(viewer: viewer, source: "shop")
    return seconds.reduce(0) { $0 + Int(rows[$1 - 1].number("frames_per_second")) }
  }

  private func limitation(_ tables: MemorySink, _ viewer: String, _ second: Int) -> String? {
    tables.stream(viewer: viewer, source: "shop")[second - 1]["limitation"]
  }

  // MARK: Results

  @Test func aBatchIsAnsweredFrameByFrameWhileTheSourceIsMutedAndUnmuted() throws {
    let tables = try shop(
      "custom: {capture: 720p30, on: false}", 10,
      """
        - {at: 3s, participant: shop, push-frames: {fps: 10, count: 40}}
        - {at: 4s, participant: shop, mute: video}
        - {at: 5s, participant: shop, unmute: video}
      """)
    #expect(
      events(tables) == [
        "3.000 push-frames 10 of 1280x720@10 Success", "4.000 mute video ok",
        "4.000 push-frames 10 of 1280x720@10 VideoMuted", "5.000 unmute video ok",
        "5.000 push-frames 20 of 1280x720@10 Success",
      ])
    #expect(frames(tables, "customer", 4...4) >= 8)
    #expect(frames(tables, "customer", 6...7) >= 15)
  }

  @Test func anOpenEndedPushLastsUntilItIsStoppedAndALaterOneTakesItsPlace() throws {
    let tables = try shop(
      "custom: {capture: 720p30, on: false}", 10,
      """
        - {at: 1s, participant: shop, push-frames: {fps: 5}}
        - {at: 3s, participant: shop, push-frames: stop}
        - {at: 3.1s, participant: shop, push-frames: stop}
        - {at: 4s, participant: shop, push-frames: {fps: 5, count: 5}}
        - {at: 4.5s, participant: shop, push-frames: {fps: 10, for: 1s}}
        - {at: 4.75s, participant: shop, push-frames: {count: 1}}
        - {at: 7s, participant: shop, push-frames: {fps: 4}}
        - {at: 8s, participant: shop, leave: true}
        - {at: 8.5s, participant: shop, push-frames: {fps: 4}}
        - {at: 9s, participant: shop, join: true}
      """)
    #expect(
      events(tables) == [
        "1.000 push-frames 10 of 1280x720@5 Success", "3.000 push-frames stop ok",
        "3.100 push-frames stop notPushing", "4.000 push-frames 3 of 1280x720@5 Success",
        "4.500 push-frames 10 of 1280x720@10 Success", "4.750 push-frames 1280x720 Success",
        "7.000 push-frames 4 of 1280x720@4 Success", "8.000 leave ok",
        "8.000 push-frames 2 of 1280x720@4 notInMeeting",
        "8.500 push-frames 2 of 1280x720@4 notInMeeting",
        "9.000 push-frames 5 of 1280x720@4 Success",
      ])
    let times = tables.rows(of: .events).compactMap { $0.numberIfPresent("time_s") }
    #expect(times == times.sorted())
  }

  /// A batch of 100 frames and one without an end, 10 a second, while their participant leaves twice.
  @Test(arguments: [(", count: 100", 37, "notPushing"), ("", 40, "ok")])
  func pushesGoOnWhileTheirParticipantIsOutOfTheMeeting(extent: String, last: Int, stop: String) throws {
    let tables = try shop(
      "camera: 720p30", 20,
      """
        - {at: 1s, participant: shop, source: custom}
        - {at: 2s, participant: shop, push-frames: {fps: 10, size: 1280x720\(extent)}}
        - {at: 4s, participant: shop, leave: true}
        - {at: 5s, participant: shop, join: true}
        - {at: 6s, participant: shop, leave: true}
        - {at: 6.3s, participant: shop, mute: video}
        - {at: 8.3s, participant: shop, join: true}
        - {at: 12.3s, participant: shop, push-frames: stop}
      """)
    #expect(
      events(tables) == [
        "1.000 source custom ok", "1.500 setVideoSource custom completed",
        "2.000 push-frames 20 of 1280x720@10 Success", "4.000 leave ok",
        "4.000 push-frames 10 of 1280x720@10 notInMeeting",
        "5.000 push-frames 10 of 1280x720@10 Success", "6.000 leave ok",
        "6.000 push-frames 23 of 1280x720@10 notInMeeting", "6.300 mute video notInMeeting",
        "8.300 push-frames \(last) of 1280x720@10 Success", "12.300 push-frames stop \(stop)",
      ])
    func shown(_ seconds: ClosedRange<Double>) -> Double {
      tables.stream(viewer: "customer", source: "shop").filter { seconds.contains($0.number("time_s")) }
        .reduce(0) { $0 + $1.number("frames_per_second") }
    }
    // The first frames after a joining come before it has been told.
    #expect(shown(6...6) >= 5 && shown(7...8) == 0 && shown(10...11) >= 19)
  }

  /// The frames stated for a source are pushed as soon as its participant joins, unless the app pushes others.
  @Test func whatASourceStatesBeginsAnewWithEachCall() throws {
    let tables = try shop(
      "custom: 720p24", 13,
      """
        - {at: 3s, participant: shop, leave: true}
        - {at: 4s, participant: shop, join: true}
        - {at: 6s, participant: shop, push-frames: {fps: 5}}
        - {at: 8s, participant: shop, leave: true}
        - {at: 9s, participant: shop, join: true}
        - {at: 10s, participant: shop, leave: true}
        - {at: 11s, participant: shop, push-frames: stop}
        - {at: 11.5s, participant: shop, push-frames: stop}
      """)
    #expect(
      events(tables) == [
        "0.000 push-frames 72 of 1280x720@24 Success", "3.000 leave ok",
        "4.000 push-frames 48 of 1280x720@24 Success", "6.000 push-frames 10 of 1280x720@5 Success",
        "8.000 leave ok", "8.000 push-frames 5 of 1280x720@5 notInMeeting",
        "9.000 push-frames 5 of 1280x720@5 Success", "10.000 leave ok",
        "10.000 push-frames 5 of 1280x720@5 notInMeeting", "11.000 push-frames stop ok",
        "11.500 push-frames stop notInMeeting",
      ])
  }

  @Test func aChangeOfSourceCompletesHalfASecondLaterAndPushesUntilThenAreRefused() throws {
    let tables = try shop(
      "camera: 720p30", 12,
      """
        - {at: 1s, participant: shop, push-frames: {count: 1, size: 1280x720}}
        - {at: 2s, participant: shop, source: custom}
        - {at: 2.1s, participant: shop, push-frames: {fps: 10, size: 1280x720, for: 1s}}
        - {at: 4s, participant: shop, source: custom}
        - {at: 5s, participant: shop, source: camera}
        - {at: 5.1s, participant: shop, push-frames: {count: 1, size: 1280x720}}
        - {at: 7s, participant: shop, source: custom}
        - {at: 7.2s, participant: shop, source: camera}
      """)
    #expect(
      events(tables) == [
        "1.000 push-frames 1280x720 NotUsingCustomVideoSource", "2.000 source custom ok",
        "2.100 push-frames 4 of 1280x720@10 NotUsingCustomVideoSource",
        "2.500 setVideoSource custom completed",
        "2.500 push-frames 6 of 1280x720@10 Success", "4.000 source custom unchanged",
        "5.000 source camera ok", "5.100 push-frames 1280x720 NotUsingCustomVideoSource",
        "5.500 setVideoSource camera completed", "7.000 source custom ok", "7.200 source camera ok",
        "7.700 setVideoSource camera completed",
      ])
    let kinds = [2, 3, 5, 6, 8].map { tables.stream(viewer: "customer", source: "shop")[$0 - 1]["kind"] }
    #expect(kinds == ["camera", "custom", "custom", "camera", "camera"])
    #expect(frames(tables, "customer", 10...11) == 60)
  }

  @Test func moreThanThirtyFramesASecondAreDroppedAndCounted() throws {
    let tables = try shop(
      "custom: {capture: 720p60, on: false}", 18,
      """
        - {at: 1s, participant: shop, push-frames: {for: 5s}}
        - {at: 7s, participant: shop, push-frames: {fps: 45, for: 4s}}
        - {at: 12s, participant: shop, push-frames: {fps: 30, for: 3s}}
        - {at: 16s, participant: shop, push-frames: {count: 1}}
        - {at: 16.01s, participant: shop, push-frames: {count: 1}}
      """)
    #expect(
      events(tables) == [
        "1.000 push-frames 300 of 1280x720@60; 150 dropped Success",
        "7.000 push-frames 180 of 1280x720@45; 60 dropped Success",
        "12.000 push-frames 90 of 1280x720@30 Success", "16.000 push-frames 1280x720 Success",
        "16.010 push-frames 1280x720 Success",
      ])
    #expect(frames(tables, "customer", 5...6) == 60)
    #expect(limitation(tables, "customer", 6) == "none")
  }

  /// Ten frames in 100 ms, forty in 400, and a single one at the same time as one of five a second.
  @Test func aBatchIsTakenWholeUpToThirtyFramesASecond() throws {
    let tables = try shop(
      "custom: {capture: 720p30, on: false}", 14,
      """
        - {at: 1s, participant: shop, push-frames: {fps: 10, for: 2s}}
        - {at: 4s, participant: shop, push-frames: {fps: 100, count: 10}}
        - {at: 6s, participant: shop, push-frames: {fps: 100, count: 40}}
        - {at: 8s, participant: shop, push-frames: {fps: 240, count: 10}}
        - {at: 10s, participant: shop, push-frames: {fps: 5, for: 3s}}
        - {at: 12s, participant: shop, push-frames: {count: 1}}
      """)
    #expect(
      events(tables).dropFirst() == [
        "4.000 push-frames 10 of 1280x720@100 Success",
        "6.000 push-frames 40 of 1280x720@100; 10 dropped Success",
        "8.000 push-frames 10 of 1280x720@240 Success", "10.000 push-frames 15 of 1280x720@5 Success",
        "12.000 push-frames 1280x720 Success",
      ])
    #expect([5, 7, 9, 12, 13].map { frames(tables, "customer", $0...$0) } == [10, 30, 10, 5, 6])
  }

  @Test func limitsAndTheTimeOfAChangeAreParameters() throws {
    let tables = try shop(
      "camera: 360p30", 12,
      policy:
        "{name: bluejeans, custom-source-time: 2s, custom-frame-rate: 20, custom-frame-pixels: 230400}",
      """
        - {at: 1s, participant: shop, source: custom}
        - {at: 4s, participant: shop, push-frames: {fps: 40, size: 640x360, for: 5s}}
        - {at: 10s, participant: shop, push-frames: {count: 1, size: 642x360}}
        - {at: 11s, participant: shop, push-frames: {count: 1, size: 360x360}}
      """)
    #expect(
      events(tables) == [
        "1.000 source custom ok", "3.000 setVideoSource custom completed",
        "4.000 push-frames 200 of 640x360@40; 100 dropped Success",
        "10.000 push-frames 642x360 maxFrameSizeExceeded",
        "11.000 push-frames 360x360 unsupportedAspectRatio",
      ])
    #expect(frames(tables, "customer", 7...8) == 40)
  }

  // MARK: Orientation and rate

  @Test func framesAreTurnedByTheirOrientation() throws {
    let tables = try shop(
      "custom: {capture: 720p30, orientation: landscape-right, aspect: \"16:9\", format: nv12}", 24,
      """
        - {at: 4s, participant: shop, push-frames: {orientation: portrait}}
        - {at: 8s, participant: shop, push-frames: {orientation: landscape-left}}
        - {at: 12s, participant: shop, push-frames: {orientation: unknown}}
        - {at: 16s, participant: shop, push-frames: {}}
        - {at: 20s, participant: shop, push-frames: {orientation: portrait-upside-down}}
      """)
    let rows = tables.stream(viewer: "customer", source: "shop")
    let sizes = [4, 8, 12, 16, 20, 24].map {
      "\(rows[$0 - 1]["frame_width_px"])x\(rows[$0 - 1]["frame_height_px"])"
    }
    #expect(sizes == ["720x1280", "1280x720", "720x1280", "1280x720", "720x1280", "1280x720"])
  }

  @Test func everyPushedFrameReachesThoseWhoseRequestAllowsItsRate() throws {
    let tables = try run(
      """
      duration: 36s
      policy: bluejeans
      participants:
        - {id: shop, publish: {custom: 720p30, audio: false}}
        - {id: full, capabilities: {receive-720p: true}, view: {request: [{quality: 720p30, priority: high}]}}
        - {id: half, capabilities: {receive-720p: true}, view: {request: [{quality: 360p15, priority: high}]}}
        - {id: seven, capabilities: {receive-720p: true}, view: {request: [{quality: 180p7, priority: high}]}}
        - {id: thumb, capabilities: {receive-720p: true}, view: {request: [{quality: 90p15, priority: high}]}}
      timeline:
        - {at: 12s, participant: shop, push-frames: {fps: 15}}
        - {at: 24s, participant: shop, push-frames: {fps: 24}}
      """)
    func four(_ last: Int) -> [Int] {
      ["full", "half", "seven", "thumb"].map { frames(tables, $0, last - 3...last) }
    }
    // Over four seconds: 30, 15, 7.5 and 15 of 30; of 15, the same except for the viewer who requests 7.5; of 24, an
    // SFU can forward 24, 12 and 6, and the encoder of the thumbnail drops what exceeds 15.
    #expect(four(11) == [120, 60, 30, 60])
    #expect(four(23) == [60, 60, 30, 60])
    #expect(four(35) == [96, 48, 24, 60])
    let limits = [11, 23, 35].map { second in
      ["full", "half", "seven", "thumb"].map { limitation(tables, $0, second) }
    }
    #expect(
      limits == [
        ["none", "none", "none", "none"], ["sender", "none", "none", "none"],
        ["sender", "layer-missing", "layer-missing", "none"],
      ])
    // The layers of the previous rate do not last even a second.
    #expect(frames(tables, "half", 13...13) >= 14 && frames(tables, "half", 25...25) <= 13)
  }

  @Test func anAppMayPushFasterThanTheCameraThatItReplaces() throws {
    let tables = try shop(
      "camera: 360p15", 16,
      """
        - {at: 4s, participant: shop, source: custom}
        - {at: 5s, participant: shop, push-frames: {fps: 30, size: 640x360, for: 5s}}
        - {at: 10s, participant: shop, source: camera}
      """)
    #expect(frames(tables, "customer", 4...4) == 15)
    #expect(frames(tables, "customer", 8...9) == 60)
    #expect(frames(tables, "customer", 14...15) == 30)
  }

  @Test(arguments: ["bluejeans", "agora", "stream", "janus"])
  func viewersOfEverySystemGetEveryFrame(policy: String) throws {
    let tables = try run(
      """
      duration: 12s
      policy: \(policy)
      participants:
        - {id: shop, publish: {custom: {capture: 720p24, on: false}, audio: false}}
        - {id: customer, capabilities: {receive-720p: true}, view: {everybody: 1280x720}}
      timeline:
        - {at: 4s, participant: shop, push-frames: {}}
      """)
    #expect(frames(tables, "customer", 1...4) == 0)
    #expect(limitation(tables, "customer", 4) == "sender")
    #expect(frames(tables, "customer", 9...12) == 96)
    #expect(tables.stream(viewer: "customer", source: "shop")[11]["frame_height_px"] == "720")
  }

  /// An app that pushes faster than 30 frames a second has 30 of them shown in every system, and hears how many were
  /// dropped: of 45 each third, of 40 each fourth.
  @Test(
    arguments: ["vonage", "bluejeans", "livekit", "agora"],
    [(40, "361", "90"), (45, "406", "135"), (50, "451", "180"), (60, "541", "270")])
  func thirtyOfMoreFramesArrive(policy: String, push: (rate: Int, frames: String, dropped: String)) throws {
    let tables = try run(
      """
      duration: 9s
      policy: \(policy)
      estimator: oracle
      participants:
        - {id: shop, publish: {custom: 720p\(push.rate), audio: false}}
        - {id: customer, capabilities: {receive-720p: true}, view: {everybody: 1280x720}}
      """)
    #expect(frames(tables, "customer", 5...9) == 150)
    #expect(limitation(tables, "customer", 9) == "none")
    #expect(
      events(tables)
        == ["0.000 push-frames \(push.frames) of 1280x720@\(push.rate); \(push.dropped) dropped Success"])
  }

  /// Agora encodes the configured 15 frames a second: every other one of 30, and all of 10.
  @Test(arguments: [(30, 15, "81 of 640x360@30; 40 dropped"), (10, 10, "27 of 640x360@10")])
  func anEncoderWithARateOfItsOwnSaysWhatItDrops(rate: Int, shown: Int, detail: String) throws {
    let tables = try run(
      """
      duration: 9s
      policy: agora
      estimator: oracle
      participants:
        - {id: shop, publish: {camera: 640x360@15, audio: false}}
        - {id: customer, view: {everybody: 640x360}}
      timeline:
        - {at: 2s, participant: shop, source: custom}
        - {at: 3s, participant: shop, push-frames: {size: 640x360, fps: \(rate), for: 2700ms}}
      """)
    #expect(frames(tables, "customer", 5...5) == shown)
    #expect(events(tables).last == "3.000 push-frames \(detail) Success")
  }
}
