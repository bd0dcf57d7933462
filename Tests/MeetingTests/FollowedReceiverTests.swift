import Allocation
import Metrics
import Quantity
import TestSupport
import Testing

/// A sender with one encoding that the scenario makes follow the worst of its receivers.
@Suite("Senders that follow their receivers")
struct FollowedReceiverTests {
  private func meeting(
    _ policy: String, _ camera: String = "{capture: 720p30, ladder: single, follows-receivers: true}",
    estimator: String = "oracle", more: String = "", seconds: Int = 20
  ) -> String {
    """
    name: one-to-one
    duration: \(seconds)s
    policy: \(policy)
    estimator: \(estimator)
    links: {thin: {capacity: 400 kbps, delay: 20 ms, queue: 300 ms}}
    participants:
      - {id: a, up: ample, down: ample, publish: {camera: \(camera), audio: false}}
      - {id: v, up: ample, down: thin, capabilities: {receive-720p: true}, view: {tiles: {a: 1280x720}}}
    \(more)
    """
  }

  private struct Case: Sendable {
    var total: Int64
    var needs: [Int64]
    var shares: [Int64]

    init(_ total: Int64, _ needs: [Int64], _ shares: [Int64]) {
      self.total = total
      self.needs = needs
      self.shares = shares
    }
  }

  /// The remainder is shared equally among them; each gets its minimum in any case.
  @Test func shares() {
    let cases: [Case] = [
      Case(300, [2500], [300]), Case(3000, [2500], [2500]), Case(0, [2500], [30]), Case(20, [2500], [30]),
      Case(900, [2500, 2500, 2500], [300, 300, 300]), Case(900, [200, 2500, 2500], [200, 350, 350]),
      Case(900, [2500, 20, 2500], [440, 20, 440]), Case(-500, [2500, 20], [30, 20]),
    ]
    for one in cases {
      let needs = one.needs.map { BitRate.kilobits($0) }
      let given = FollowedReceivers.shares(of: .kilobits(one.total), needs: needs)
      #expect(given == one.shares.map { BitRate.kilobits($0) }, "\(one)")
    }
  }

  private static let others = [
    "bluejeans", "agora", "stream", "janus", "{name: janus, allocation: true}", "livekit", "jitsi",
    "mediasoup",
    "signal", "best",
  ]

  /// 400 kbps, of which the oracle leaves 364 for payload, less repairs; plus up to 6 % of RTP headers. The first key
  /// frame does not fit, and the next is requested three seconds later; mediasoup retransmits the lost packets of both
  /// until they are two seconds old.
  @Test(arguments: others)
  func aThinReceiverSeesWhatItsDownlinkCarries(policy: String) throws {
    let tables = try Meetings.run(Meetings.scenario(meeting(policy))).tables
    let settled = policy == "mediasoup" ? 12 : 8
    let rows = tables.stream(viewer: "v", source: "a").filter { $0.number("time_s") > Double(settled) }
    #expect(rows.count == 20 - settled)
    #expect(rows.allSatisfy { $0.number("frames_per_second") >= 25 })
    let mean = rows.map { $0.number("bitrate_bps") }.reduce(0, +) / Double(rows.count)
    #expect(340_000...386_000 ~= mean, "\(mean)")
    #expect(rows.allSatisfy { ["none", "bandwidth"].contains($0["limitation"]) })
  }

  /// Ample links, and each system's own estimator: 720p30, of at most 2500 kbps, takes more than 600 within a minute.
  @Test(arguments: others)
  func anAmpleReceiverSeesTheWholeSource(policy: String) throws {
    let scenario = meeting(policy, estimator: "gcc", seconds: 60)
      .replacing("estimator: gcc\n", with: "").replacing("down: thin", with: "down: ample")
    let tables = try Meetings.run(Meetings.scenario(scenario)).tables
    let rows = tables.stream(viewer: "v", source: "a").filter { $0.number("time_s") > 50 }
    let mean = rows.map { $0.number("bitrate_bps") }.reduce(0, +) / 10
    #expect(rows.count == 10 && mean > 1_500_000, "\(mean)")
  }

  /// Without the key, the only encoding takes 2500 kbps: the viewer gets nothing, or a full queue.
  @Test(arguments: ["stream", "jitsi", "signal"])
  func withoutTheKeyTheTileIsDark(policy: String) throws {
    let tables = try Meetings.run(
      Meetings.scenario(meeting(policy, "{capture: 720p30, ladder: single, minimum: 1 Mbps}"))
    ).tables
    let rows = tables.stream(viewer: "v", source: "a").filter { $0.number("time_s") > 5 }
    #expect(rows.allSatisfy { $0.number("frames_per_second") == 0 })
  }

  @Test(arguments: ["jitsi", "stream", "livekit"])
  func theWorstReceiverSetsTheRateWhileItIsThere(policy: String) throws {
    let more = """
        - {id: w, up: ample, down: ample, capabilities: {receive-720p: true}, view: {tiles: {a: 1280x720}}}
      timeline:
        - {at: 15s, participant: v, leave: true}
      """
    let tables = try Meetings.run(Meetings.scenario(meeting(policy, more: more, seconds: 30))).tables
    func rate(_ times: ClosedRange<Double>) -> Double {
      let rows = tables.stream(viewer: "w", source: "a").filter { times.contains($0.number("time_s")) }
      return rows.map { $0.number("bitrate_bps") }.reduce(0, +) / Double(rows.count)
    }
    #expect(340_000...386_000 ~= rate(6...15), "\(rate(6...15))")
    #expect(rate(22...30) > 1_500_000, "\(rate(22...30))")
  }

  @Test func aSourceOfSeveralEncodingsCannotFollow() {
    let error = #expect(throws: Meetings.Failure.self) {
      try Meetings.scenario(meeting("jitsi", "{capture: 720p30, follows-receivers: true}"))
    }
    #expect(
      error?.description
        == "test.yaml:7:92: error: follows-receivers: is for one encoding, and this source has 3 encodings, among "
        + "which its server chooses: use 'ladder: single', or omit it")
    let other = #expect(throws: Meetings.Failure.self) { try Meetings.scenario(meeting("gso")) }
    #expect(other?.description.contains("follows-receivers: has no effect with policy 'gso'") == true)
  }
}
