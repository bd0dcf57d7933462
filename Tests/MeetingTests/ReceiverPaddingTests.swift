import CongestionControl
import Metrics
import Quantity
import TestSupport
import Testing

/// Padding and probes with receive-side estimation: without them nothing raises a REMB above what the video fills.
@Suite("Padding under REMB")
struct ReceiverPaddingTests {
  private func meeting(
    _ policy: String, capacity: String = "20 Mbps", layers: [Int] = [200, 2000],
    seconds: Int = 60, join: String = ""
  ) -> String {
    let sizes = ["320x240", "640x480"]
    let listed = zip(layers, sizes).enumerated().map { index, own in
      "{encoding: \(index), temporal: 0, size: \(own.1), fps: 30, bitrate: \(own.0) kbps}"
    }
    return """
      name: remb
      duration: \(seconds)s
      policy: \(policy)
      estimator: {up: gcc, down: remb}
      links: {lan: {capacity: 20 Mbps, delay: 5 ms}, link: {capacity: \(capacity), delay: 20 ms, queue: 300 ms}}
      participants:
        - {id: a, up: lan, down: lan, publish: {camera: {layers: [\(listed.joined(separator: ", "))]}, audio: false}}
        - {id: v, \(join)up: lan, down: link, capabilities: {receive-720p: true}, view: {stage: {participant: a, size: 640x480}}}
      """
  }

  private func lastHeight(_ tables: MemorySink, _ source: String = "a", at time: Double) -> Int {
    let row = tables.stream(viewer: "v", source: source).first { $0.number("time_s") == time }
    return row?.integerIfPresent("frame_height_px") ?? 0
  }

  private static let padding = [
    "jitsi", "signal", "gso", "{name: janus, allocation: true}", "stream", "vonage", "best", "agora",
    "bluejeans",
  ]

  @Test(arguments: padding)
  func whatTheLinkCarriesIsShownWithinAMinute(policy: String) throws {
    let tables = try Meetings.run(Meetings.scenario(meeting(policy))).tables
    #expect(lastHeight(tables, at: 60) == 480)
  }

  @Test(arguments: padding)
  func lateJoinersClimbToo(policy: String) throws {
    let tables = try Meetings.run(
      Meetings.scenario(meeting(policy, seconds: 70, join: "join: 8.37s, "))
    ).tables
    #expect(lastHeight(tables, at: 70) == 480)
  }

  /// Padding never fills the queue of 300 ms: nothing is lost but what REMB's own overshoot costs at its first overuse.
  @Test(arguments: padding.filter { $0 != "agora" })
  func aNarrowLinkIsNotOverrun(policy: String) throws {
    let tables = try Meetings.run(Meetings.scenario(meeting(policy, capacity: "700 kbps"))).tables
    let rows = tables.rows(of: .participants).filter { $0["participant"] == "v" && $0.number("time_s") > 20 }
    let lost = rows.map { $0.number("down_loss_frac", ifEmpty: 0) }.reduce(0, +) / Double(rows.count)
    #expect(lost < 0.02, "\(lost)")
    #expect(lastHeight(tables, at: 60) == 240)
  }

  /// A REMB supported by padding grows by 8 % a second.
  @Test func paddingLetsTheEstimateGrowByEightPercentASecond() throws {
    let tables = try Meetings.run(
      Meetings.scenario(meeting("jitsi", layers: [200, 8000], seconds: 12))
    ).tables
    let estimates = tables.rows(of: .participants).filter { $0["participant"] == "v" }
    let rates = Dictionary(
      uniqueKeysWithValues: estimates.map { ($0.number("time_s"), $0.number("down_estimate_bps")) })
    // 1.08⁵ = 1.469.
    let growth = (rates[11] ?? 0) / (rates[6] ?? 1)
    #expect(1.45...1.49 ~= growth, "\(growth)")
    // Padding and video fill the estimate but do not exceed it.
    for row in estimates where 6...11 ~= row.number("time_s") {
      let share = row.number("down_bitrate_bps") / row.number("down_estimate_bps")
      #expect(0.9...1.01 ~= share, "\(share)")
    }
  }

  /// mediasoup neither pads nor follows the estimate: 600 kbps, of which the lower layer of 200 kbps leaves half
  /// unused.
  @Test func mediasoupKeepsItsInitialEstimate() throws {
    let tables = try Meetings.run(Meetings.scenario(meeting("mediasoup"))).tables
    let decisions = tables.rows(of: .decisions)
    #expect(decisions.allSatisfy { $0.integer("estimate_bps") == 600_000 })
    #expect([10, 30, 60].map { lastHeight(tables, at: $0) } == [240, 240, 240])
    let higher = try Meetings.run(
      Meetings.scenario(meeting("{name: mediasoup, initial-estimate: 2500 kbps}", seconds: 20))
    ).tables
    #expect(lastHeight(higher, at: 20) == 480)
  }

  @Test func theSenderPadsNoFurtherThanTheEstimate() {
    var controller = REMBController(parameters: REMBParameters(), at: .zero)
    #expect(controller.outlook().target.padding == .zero)
    var demand = SenderDemand()
    demand.maximumPadding = .kilobits(500)
    controller.handle(.demand(demand), at: .zero)
    #expect(controller.outlook().target.padding == .kilobits(300))
    controller.handle(.estimate(.kilobits(800)), at: .zero)
    #expect(controller.outlook().target.padding == .kilobits(500))
  }
}
