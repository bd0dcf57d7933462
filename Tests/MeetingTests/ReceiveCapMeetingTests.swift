import Metrics
import Quantity
import Scenario
import TestSupport
import Testing

/// A client accepts 500 kbit/s on a link of 1 Mbit/s, which three 360p pictures would fill.
@Suite("Receive caps of clients")
struct ReceiveCapMeetingTests {
  private func scenario(_ policy: String, cap: String = ", receive-cap: 500 kbps") throws -> LoadedScenario {
    try Meetings.scenario(
      """
      name: t
      duration: 14s
      policy: \(policy)
      links: {ample: {capacity: 20 Mbps, delay: 5 ms}, narrow: {capacity: 1 Mbps, delay: 5 ms}}
      participants:
        - {id: ann, count: 3, up: ample, down: ample, publish: {audio: false, camera: {capture: 720p30, ladder: webrtc-vp8}}}
        - {id: bob, up: ample, down: narrow, capabilities: {receive-720p: true\(cap)}, view: {everybody: 640x360}}
      """)
  }

  @Test(arguments: ["mediasoup", "jitsi", "signal", "best", "gso"])
  func everyServerKeepsToIt(policy: String) throws {
    let tables = try Meetings.run(try scenario(policy)).tables
    let late = tables.rows(of: .streams).filter { $0["viewer"] == "bob" && $0.number("time_s") > 5 }
    let mean = late.reduce(0) { $0 + $1.number("bitrate_bps") } / 9
    #expect(mean > 300_000 && mean < 500_000, "\(mean)")
    let words = Set(late.map { $0["limitation"] })
    #expect(words.contains("request-cap") && !words.contains("bandwidth"), "\(words)")
    let decided = tables.rows(of: .decisions).filter { $0["viewer"] == "bob" && $0.number("time_s") >= 1 }
    // A tenth for headers and a tenth for the encoders' rate variation leave 500,000 / 1.21.
    #expect(!decided.isEmpty && decided.allSatisfy { $0["cap_bps"] == "413223" })
    #expect(decided.allSatisfy { $0["budget_bps"] == "413223" })
    #expect(decided.contains { $0["rule"] == "ReceiveCap" })
  }

  /// Without the limit the same servers allocate the whole link: at least three pictures of 180 lines; if a larger one
  /// fits, one tile gets it.
  @Test(arguments: ["mediasoup", "jitsi", "signal", "best", "gso"])
  func withoutItTheyFillTheLink(policy: String) throws {
    let tables = try Meetings.run(try scenario(policy, cap: "")).tables
    let late = tables.rows(of: .streams).filter { $0["viewer"] == "bob" && $0.number("time_s") > 11 }
    #expect(late.reduce(0) { $0 + $1.number("bitrate_bps") } / 3 > 450_000)
    let decided = tables.rows(of: .decisions).filter { $0["viewer"] == "bob" }
    #expect(decided.allSatisfy { $0["cap_bps"] == "" })
    #expect(decided.contains { $0.integer("budget_bps") > 900_000 })
    #expect(!late.contains { $0["limitation"] == "request-cap" })
  }

  @Test(arguments: ["livekit", "janus", "agora"])
  func aServerThatDoesNotAskIsNamed(policy: String) throws {
    let loaded = try scenario(policy)
    #expect(
      loaded.warnings.map(\.description) == [
        "test.yaml:7:5: warning: receive-cap: under '\(policy)' a server does not ask what a client accepts; "
          + "remove it, or limit the link"
      ])
    #expect(try scenario(policy, cap: "").warnings.isEmpty)
  }

  /// A client's cap holds for whole packets of video in the mean over any five seconds, whoever set it.
  @Test(
    arguments: [
      ("{name: bluejeans, receive-cap: 2400 kbps}", "", 2400), ("bluejeans", ", receive-cap: 700 kbps", 700),
      ("bluejeans", ", receive-cap: 100 kbps", 100), ("jitsi", ", receive-cap: 1600 kbps", 1600),
      ("mediasoup", ", receive-cap: 1000 kbps", 1000), ("mediasoup", ", receive-cap: 500 kbps", 500),
      ("best", ", receive-cap: 500 kbps", 500),
    ] as [(String, String, Double)], ["oracle", "gcc"])
  func noFiveSecondsExceedIt(cap: (policy: String, key: String, kilobits: Double), estimator: String) throws {
    let request =
      "request: [{quality: 720p30, priority: high, participant: '@moderator'}, "
      + "{quality: 90p7, priority: medium, count: 24}]"
    let view = cap.policy.contains("bluejeans") ? request : "stage: teacher, everybody: 160x90"
    let text = """
      name: cap
      duration: 40s
      policy: \(cap.policy)
      estimator: \(estimator)
      participants:
        - {id: teacher, role: moderator, publish: {camera: 720p30, audio: false}}
        - {id: s, count: 24, publish: {camera: 180p15, audio: false}}
        - {id: v, join: 1.37s, capabilities: {receive-720p: true\(cap.key)}, view: {\(view)}}
      """
    let greatest = try greatestMean(text)
    #expect(greatest <= cap.kilobits * 1000, "\(greatest)")
  }

  /// 24 cameras with three encodings start at once for a client that accepts three pictures of 180 lines: nothing sent
  /// in addition exceeds the cap, neither probes for what the client has set aside nor the server's messages. Those of
  /// mediasoup's 24 consumers alone are 24 (1300 + 2 · 200) B in five seconds, 65 kbit/s.
  @Test(
    arguments: ["mediasoup", "vonage", "stream", "jitsi", "best", "signal", "gso", "bluejeans"],
    ["", "estimator: {up: gcc, down: remb}"])
  func nothingBesideTheVideoExceedsIt(policy: String, estimator: String) throws {
    let text = """
      name: cap
      duration: 16s
      policy: \(policy)
      \(estimator)
      participants:
        - {id: p, count: 24, publish: {camera: 720p30, audio: false}}
        - {id: v, join: 2.37s, capabilities: {receive-720p: true, receive-cap: 400 kbps}, view: {everybody: 320x180}}
      """
    let greatest = try greatestMean(text)
    #expect(greatest <= 400_000 && greatest > 200_000, "\(greatest)")
  }

  /// Everybody joins at once, and 24 cameras ramp up on 3 Mbps: their rates, which change all the time, are no news to
  /// viewers, whose consumers alone take 65 kbit/s.
  @Test(arguments: ["mediasoup", "jitsi", "best"])
  func camerasThatRampUpDoNotExceedIt(policy: String) throws {
    let text = """
      name: cap
      duration: 16s
      policy: \(policy)
      links: {up: {capacity: 3 Mbps, delay: 20 ms}}
      participants:
        - {id: p, count: 24, up: up, publish: {camera: 720p30, audio: false}}
        - {id: v, capabilities: {receive-720p: true, receive-cap: 480 kbps}, view: {everybody: 320x180}}
      """
    let greatest = try greatestMean(text)
    #expect(greatest <= 480_000 && greatest > 240_000, "\(greatest)")
  }

  /// Page turns with nine tiles a page, and a client that rejoins: many tiles start at once. Janus' server, which never
  /// pauses a video, is not among those that can keep to the cap.
  @Test(
    arguments: [
      ("jitsi", 800), ("mediasoup", 900), ("best", 500), ("signal", 700), ("gso", 1000),
      ("stream", 800), ("vonage", 800), ("bluejeans", 900),
    ] as [(String, Double)])
  func tilesThatBeginAtOnceDoNotExceedIt(cap: (policy: String, kilobits: Double)) throws {
    let text = """
      name: cap
      duration: 34s
      policy: \(cap.policy)
      participants:
        - {id: s, count: 18, publish: {camera: 180p15, audio: false}}
        - id: v
          publish: {audio: false}
          capabilities: {receive-720p: true, receive-cap: \(Int(cap.kilobits)) kbps}
          view: {everybody: 320x180, per-page: 9}
      timeline:
        - {at: 8.3s, participant: v, page: 2}
        - {at: 12.9s, participant: v, page: 1}
        - {at: 17.1s, participant: v, leave: true}
        - {at: 20.7s, participant: v, join: true}
        - {at: 27.7s, participant: v, page: 2}
      """
    let greatest = try greatestMean(text)
    #expect(greatest <= cap.kilobits * 1000 && greatest > cap.kilobits * 500, "\(greatest)")
  }

  /// Cameras of several sizes that start late, or again, while the client accepts little.
  @Test(
    arguments: [
      ("jitsi", 700), ("jitsi", 1900), ("mediasoup", 700), ("mediasoup", 1700), ("best", 900), ("best", 2400),
      ("signal", 800), ("gso", 1300), ("{name: janus, allocation: true}", 1100), ("stream", 900),
      ("vonage", 1500), ("bluejeans", 1300),
    ] as [(String, Double)], ["oracle", "gcc"])
  func camerasThatBeginDoNotExceedIt(cap: (policy: String, kilobits: Double), estimator: String) throws {
    let text = """
      name: cap
      duration: 22s
      policy: \(cap.policy)
      estimator: \(estimator)
      participants:
        - {id: a, publish: {camera: 720p30, audio: false}}
        - {id: b, publish: {camera: 360p24, audio: false}}
        - {id: c, join: 8.7s, publish: {camera: 1080p30, audio: false}}
        - id: v
          capabilities: {receive-720p: true, receive-cap: \(Int(cap.kilobits)) kbps}
          view: {tiles: {a: 1280x720, b: 640x360, c: 320x180}}
      timeline:
        - {at: 9.3s, participant: b, mute: video}
        - {at: 14.7s, participant: b, unmute: video}
      """
    #expect(try greatestMean(text) <= cap.kilobits * 1000)
  }

  /// Returns the highest mean over five seconds, in steps of 250 ms, of the rate that `v` receives [bit/s].
  private func greatestMean(_ text: String) throws -> Double {
    let tables = try Meetings.run(Meetings.scenario(text), interval: .milliseconds(250)).tables
    let own = tables.rows(of: .participants).filter { $0["participant"] == "v" }
    let rates = own.map { $0.number("down_bitrate_bps") }
    let means = rates.indices.dropLast(19).map { rates[$0..<$0 + 20].reduce(0, +) / 20 }
    return try #require(means.max())
  }

  /// Nobody has set a cap: the teacher and all thumbnails are shown as requested, on links that carry them.
  @Test(arguments: [21, 24], ["oracle", "gcc"])
  func withoutACapEverythingRequestedArrives(students: Int, estimator: String) throws {
    let text = """
      name: lesson
      duration: 16s
      policy: bluejeans
      estimator: \(estimator)
      participants:
        - {id: teacher, role: moderator, publish: {camera: 720p30}}
        - {id: s, count: \(students), publish: {camera: 180p15}}
        - id: v
          capabilities: {receive-720p: true}
          view:
            request:
              - {quality: 720p30, priority: high, participant: "@moderator"}
              - {quality: 90p7, priority: medium, count: 24}
      """
    let rows = try Meetings.run(Meetings.scenario(text)).tables.rows(of: .streams)
      .filter { $0["viewer"] == "v" && $0["time_s"] == "14.000" }
    #expect(rows.count { $0["frame_height_px"] == "90" && $0["limitation"] == "none" } == students)
    #expect(rows.count { $0["frame_height_px"] == "720" && $0["limitation"] == "none" } == 1)
  }

  /// The rule that names whose limit it is, by system.
  @Test(
    arguments: [
      ("{name: bluejeans, receive-cap: 600 kbps}", "receive-720p: true", "PolicyReceiveCap"),
      ("bluejeans", "receive-720p: true, receive-cap: 600 kbps", "ReceiveCap"),
      ("{name: bluejeans, receive-cap: 900 kbps}", "receive-720p: true, receive-cap: 600 kbps", "ReceiveCap"),
      ("bluejeans", "receive-720p: false", "ReceiveGate"), ("jitsi", "receive-720p: false", "ReceiveGate"),
      ("signal", "receive-cap: 600 kbps", "ReceiveCap"),
    ])
  func theRuleNamesWhoseLimitItIs(policy: String, capabilities: String, rule: String) throws {
    let view = policy.contains("bluejeans") ? "request: [{quality: 720p30, priority: high}]" : "stage: far"
    let text = """
      name: limits
      duration: 6s
      policy: \(policy)
      participants:
        - {id: far, publish: {camera: 720p30, audio: false}}
        - {id: v, capabilities: {\(capabilities)}, view: {\(view)}}
      """
    let last = try Meetings.run(Meetings.scenario(text)).tables.rows(of: .decisions).last {
      $0["viewer"] == "v"
    }
    #expect(last?["reason"] == "request-cap" && last?["rule"] == rule, "\(last as Any)")
  }
}
