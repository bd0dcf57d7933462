import Allocation
import CongestionControl
import Ladder
import Quantity
import Systems
import Testing
import Vendors

/// Three spatial layers of 142, 418 and 1524 kbps, each with temporal layers of 54, 16 and 30 %.
@Suite("mediasoup's walk over spatial layers")
struct MediasoupScalableTests {
  private static let own: [[Int64]] = [[77, 100, 142], [226, 294, 418], [823, 1072, 1524]]
  /// Rates including the layers below, of which full SVC's viewers get the same temporal layers.
  private static let summed: [[Int64]] = [[77, 100, 142], [303, 394, 560], [1126, 1466, 2084]]

  private func layer(_ rates: [[Int64]], _ mode: String, at budget: Int64) -> String {
    var subscription = consumed(rates)
    subscription.wish.scalability = ScalabilityMode(name: mode)
    return consumedLayers(MediasoupRule().decide([subscription], at: budget))
  }

  /// The base of the next spatial layer replaces all layers below it: 226 - 142 = 84 on top of 142.
  @Test(arguments: [
    (76, "-"), (77, "0.0"), (142, "0.2"), (225, "0.2"), (226, "1.0"), (293, "1.0"), (294, "1.1"),
    (418, "1.2"),
    (822, "1.2"), (823, "2.0"), (1524, "2.2"),
  ])
  func stepsOfKeySVCReplaceTheLayerBelow(budget: Int64, expected: String) {
    #expect(layer(Self.own, "L3T3_KEY", at: budget) == expected)
  }

  /// Every layer's own rate is added, and the temporal layers given up in a step are not credited: 142 + 226 = 368,
  /// although 303 are forwarded.
  @Test(arguments: [
    (142, "0.2"), (367, "0.2"), (368, "1.0"), (435, "1.0"), (436, "1.1"), (560, "1.2"), (1382, "1.2"),
    (1383, "2.0"), (2083, "2.1"), (2084, "2.2"),
  ])
  func stepsOfFullSVCAddUp(budget: Int64, expected: String) {
    #expect(layer(Self.summed, "L3T3", at: budget) == expected)
    #expect(layer(Self.own, "S3T3", at: budget) == expected)
  }

  /// A new simulcast stream waits for 2 s; a spatial layer does not.
  @Test func spatialLayersNeedNoAge() throws {
    var subscription = consumed(Self.own)
    subscription.ages = [nil, .seconds(1), .seconds(1)]
    #expect(consumedLayers(MediasoupRule().decide([subscription], at: 2000)) == "0.2")
    subscription.wish.scalability = ScalabilityMode(name: "L3T3_KEY")
    #expect(consumedLayers(MediasoupRule().decide([subscription], at: 2000)) == "2.2")
  }

  /// The estimator's maximum follows the rate that the consumer could use: in `S` modes the sum of all layers.
  @Test(arguments: [("L3T3_KEY", 2_057_400), ("S3T3", 2_813_400)])
  func desiredRate(mode: String, maximum: Int64) {
    var subscription = consumed(Self.own.map { $0.map { $0 * 1000 } })
    subscription.wish.scalability = ScalabilityMode(name: mode)
    var schedule = MediasoupSchedule()
    let commands = schedule.commands(
      on: AllocationState(budget: .zero, subscriptions: [subscription]), at: .zero)
    #expect(
      commands == [.bound(minimum: .kilobits(30), maximum: RateLimit(BitRate(bitsPerSecond: maximum)))])
  }
}
