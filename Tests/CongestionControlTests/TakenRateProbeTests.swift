import CongestionControl
import Quantity
import TestSupport
import Testing

/// Probes for the rate that a server sends beyond its estimate.
@Suite("Probes of the rate taken")
struct TakenRateProbeTests {

  private func expect(
    _ controller: inout ProbeController, _ expected: [Int64], at location: SourceLocation = #_sourceLocation
  ) {
    var rates: [Int64] = []
    while let cluster = controller.take() { rates.append(cluster.rate.bitsPerSecond / 1000) }
    #expect(rates == expected, sourceLocation: location)
  }

  /// Returns a controller whose initial probing is over, with this estimate.
  private func settled(_ kilobits: Int64) -> ProbeController {
    var controller = ProbeController(at: .zero)
    controller.constrain(start: .kilobits(kilobits), maximum: .unlimited, at: .zero)
    while controller.take() != nil {}
    controller.process(at: .ms(1001))
    return controller
  }

  /// A server whose rule exceeds the estimate of 1000: the rate that its streams take is probed when it rises, first up
  /// to twice the estimate and then, as results arrive, up to twice the rate they could take, beyond the default
  /// maximum.
  @Test func whatIsTakenBeyondTheEstimateIsProbedWhenItRises() {
    var controller = settled(1000)
    controller.setMaximumAllocated(.kilobits(9000), at: .ms(2000))
    controller.setTaken(.kilobits(1000), isBeyondTarget: true)
    controller.process(at: .ms(2000))
    expect(&controller, [])
    // A rule that follows the estimate exceeds it only briefly, when it has just fallen.
    controller.setTaken(.kilobits(5000), isBeyondTarget: false)
    controller.process(at: .ms(2000))
    expect(&controller, [])
    controller.setTaken(.kilobits(6000), isBeyondTarget: true)
    controller.process(at: .ms(2025))
    expect(&controller, [2000])
    controller.setEstimate(.kilobits(1900), limit: .delay, at: .ms(2100))
    expect(&controller, [3800])
    controller.setEstimate(.kilobits(3700), limit: .delay, at: .ms(2200))
    expect(&controller, [7400])
    controller.setEstimate(.kilobits(7000), limit: .delay, at: .ms(2300))
    expect(&controller, [14_000])
    controller.setEstimate(.kilobits(13_000), limit: .delay, at: .ms(2400))
    expect(&controller, [18_000])
  }

  /// An estimate that a probe has not raised is probed again a second later, until it has caught up.
  @Test func whatIsTakenIsProbedEverySecondWhileTheEstimateIsBehind() {
    var controller = settled(1000)
    controller.setMaximumAllocated(.kilobits(9000), at: .ms(2000))
    controller.setTaken(.kilobits(6000), isBeyondTarget: true)
    controller.process(at: .ms(2000))
    expect(&controller, [2000])
    // The results of the probe are awaited until 3001.
    for (now, estimate, rates) in [
      (2975, 1100, []), (3000, 1100, []), (3025, 1100, [2200]), (4025, 1200, []), (4050, 1200, [2400]),
    ] as [(Int64, Int64, [Int64])] {
      controller.setEstimate(.kilobits(estimate), limit: .delay, at: .ms(now))
      controller.setTaken(.kilobits(6000), isBeyondTarget: true)
      controller.process(at: .ms(now))
      expect(&controller, rates)
    }
    controller.setTaken(.kilobits(1200), isBeyondTarget: true)
    controller.process(at: .ms(6000))
    expect(&controller, [])
  }

  /// A rise waits until queues have drained and the last results have arrived; an estimate that has caught up needs no
  /// probe.
  @Test func aRiseThatCannotBeProbedWaits() {
    for (estimate, rates) in [(1500, [3000]), (5500, [6000, 11_000]), (6000, [])] as [(Int64, [Int64])] {
      var controller = settled(1000)
      controller.setMaximumAllocated(.kilobits(9000), at: .ms(2000))
      controller.setEstimate(.kilobits(1000), limit: .delayIncreased, at: .ms(2000))
      controller.setTaken(.kilobits(6000), isBeyondTarget: true)
      controller.process(at: .ms(2025))
      expect(&controller, [])
      controller.setEstimate(.kilobits(estimate), limit: .delay, at: .ms(3000))
      controller.setTaken(.kilobits(6000), isBeyondTarget: true)
      controller.process(at: .ms(3025))
      expect(&controller, rates)
    }
  }
}
