import Allocation
import Ladder
import Quantity
import Systems
import TestSupport
import Testing
import Vendors

@Suite("A server that allocates a downlink by a rule")
struct RuleServerTests {
  /// Of a base layer of 15 fps requested at 7.5, seven of fifteen frames are passed on: 140 of its 300 kbps.
  @Test func aThinnedLayerIsChargedForTheFramesThatArePassedOn() throws {
    let base = Layer(
      id: LayerID(encoding: 0, temporal: 0), format: VideoFormat(.p360, framesPerSecond: 15),
      bitrate: .kilobits(300))
    var wish = Subscription(
      source: 0, requested: VideoFormat(.p360, milliFramesPerSecond: 7500), offers: [base])
    wish.keepFrameRate()
    let layers = MeasuredLayers(rates: [[.kilobits(300)]], available: [0], highestSeen: 0)
    let rule = try #require(Best(.init()).rule)
    let given = [139_999, 140_000, 300_000].map { (budget: Int64) -> BitRate? in
      var server = RuleServer(rule, EveryEstimate())
      #expect(server.handle(.subscribe(wish, layers), at: .zero) == [.look])
      _ = server.handle(
        .report(.estimate(BitRate(bitsPerSecond: budget), packets: 0, repeatedNACKs: 0)), at: .zero)
      #expect(server.handle(.look([layers], queued: .zero), at: .zero) == [.decide])
      return server.decision(on: 0).flatMap { $0.layer == nil ? nil : $0.bitrate }
    }
    #expect(given == [nil, .kilobits(140), .kilobits(140)])
  }
}
