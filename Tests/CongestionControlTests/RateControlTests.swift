import CongestionControl
import Quantity
import Testing

@Suite("Additive increase, multiplicative decrease")
struct RateControlTests {
  private func control(_ kilobits: Int64, roundTrip: Int64 = 200) -> AIMDRateControl {
    var control = AIMDRateControl()
    control.start(at: .kilobits(kilobits))
    control.roundTrip = .milliseconds(roundTrip)
    return control
  }

  @Test func growthIsEightPerCentASecond() {
    var control = control(500)
    control.update(.normal, throughput: .kilobits(500), at: .zero)
    // The first update starts the clock and adds the minimum step of 1 kbit/s.
    #expect(control.estimate == .kilobits(501))
    control.update(.normal, throughput: .kilobits(500), at: time(1000))
    #expect(control.estimate == BitRate(bitsPerSecond: 541_080))
    // A longer silence counts as one second.
    control.update(.normal, throughput: .kilobits(500), at: time(6000))
    #expect(control.estimate == BitRate(bitsPerSecond: 584_366))
  }

  @Test func withoutAStartTheThroughputAfterFiveSecondsIsTheFirstEstimate() {
    var control = AIMDRateControl()
    control.update(.normal, throughput: .kilobits(400), at: time(1000))
    control.update(.normal, throughput: .kilobits(500), at: time(6000))
    #expect(!control.isInitialized)
    control.update(.normal, throughput: .kilobits(600), at: time(6001))
    #expect(control.isInitialized && control.estimate >= .kilobits(600) && control.estimate <= .kilobits(601))
  }

  /// Each new sample has a weight of a twentieth: 1000, then 990. The variance is 0.95 x 0.4 + 0.05 x 190 x 190 / 990 =
  /// 2.203 times the mean, a deviation of 46.7 kbit/s.
  @Test func theCapacityIsTheMeanAtOveruse() throws {
    var capacity = LinkCapacityEstimate()
    capacity.add(.kilobits(1000))
    #expect(capacity.rate == .kilobits(1000))
    capacity.add(.kilobits(800))
    #expect(capacity.rate == .kilobits(990))
    let upper = try #require(capacity.upperBound)
    let lower = try #require(capacity.lowerBound)
    #expect(abs(upper.bitsPerSecond - 1_130_110) <= 1000 && abs(lower.bitsPerSecond - 849_890) <= 1000)
  }

  @Test func growthEndsAtOneAndAHalfTimesTheAcknowledged() {
    var control = control(500)
    for step in 0..<2000 {
      control.update(.normal, throughput: .kilobits(400), at: time(Double(step) * 50))
    }
    #expect(control.estimate == .kilobits(610))
    #expect(control.origin == .acknowledged)
    // A higher estimate is kept.
    control.set(.kilobits(2000), origin: .probe, at: time(100_000))
    control.update(.normal, throughput: .kilobits(400), at: time(100_050))
    #expect(control.estimate == .kilobits(2000))
    #expect(control.origin == .probe)
  }

  @Test func overuseFallsBelowTheAcknowledged() {
    var control = control(1200)
    control.update(.overused, throughput: .kilobits(1000), at: .zero)
    #expect(control.estimate == .kilobits(845))
    #expect(control.isNearCapacity)
    // The acknowledged rate exceeds the estimate, but 0.85 of the link's capacity is still lower.
    control.set(.kilobits(900), origin: .probe, at: time(500))
    control.update(.overused, throughput: .kilobits(1100), at: time(1000))
    // The capacity is now 0.95 x 1000 + 0.05 x 1100, but the decrease was computed from 1000.
    #expect(control.estimate == .kilobits(850))
  }

  @Test func overuseNeverRaises() {
    var control = control(100)
    control.update(.overused, throughput: .kilobits(1000), at: .zero)
    #expect(control.estimate == .kilobits(100))
  }

  @Test func decreasesAreARoundTripApart() {
    var control = control(1000, roundTrip: 120)
    control.set(.kilobits(1000), origin: .delay, at: .zero)
    #expect(!control.mayDecrease(throughput: .kilobits(800), at: time(119)))
    #expect(control.mayDecrease(throughput: .kilobits(800), at: time(120)))
    // At once if less than half arrives.
    #expect(control.mayDecrease(throughput: .kilobits(499), at: time(1)))
    control.roundTrip = .milliseconds(900)
    #expect(!control.mayDecrease(throughput: .kilobits(800), at: time(199)))
    #expect(control.mayDecrease(throughput: .kilobits(800), at: time(200)))
  }

  /// Half a packet of a 30 fps stream per response time, which is the round trip plus 100 ms.
  @Test(
    arguments: [
      (300, 30, 19.2), (300, 100, 12.5), (300, 200, 8.3), (1000, 30, 32.1), (1000, 100, 20.8),
      (1000, 200, 13.9),
      (2000, 30, 36.6), (2000, 100, 23.8), (2000, 200, 15.9), (4000, 30, 36.6), (4000, 100, 23.8),
      (4000, 200, 15.9),
    ] as [(Int64, Int64, Double)])
  func additiveSlope(kilobits: Int64, roundTrip: Int64, slope: Double) {
    let control = control(kilobits, roundTrip: roundTrip)
    #expect(abs(control.additiveIncreasePerSecond / 1000 - slope) < 0.06)
  }

  @Test func growthIsAdditiveNearTheCapacity() {
    var control = control(1000, roundTrip: 100)
    control.update(.overused, throughput: .kilobits(1000), at: .zero)
    #expect(control.estimate == .kilobits(845))
    control.update(.normal, throughput: .kilobits(990), at: time(100))
    let begin = control.estimate
    #expect(begin == .kilobits(845))
    // A frame of 3521 B in 3 packets: 9389 bit / 0.4 s = 23.47 kbit/s per second.
    control.update(.normal, throughput: .kilobits(990), at: time(600))
    #expect(abs((control.estimate - begin).bitsPerSecond - 11_736) <= 1)
    // Beyond the window of 1000 kbit/s +- 3 sqrt(0.4 x 1000) = 60 the capacity is unknown again: 8 % a second.
    let before = control.estimate
    control.update(.normal, throughput: .kilobits(1061), at: time(1600))
    #expect(!control.isNearCapacity)
    #expect(abs((control.estimate - before).bitsPerSecond - before.bitsPerSecond * 8 / 100) <= 1)
  }

  @Test func leastAdditiveSlope() {
    #expect(control(10, roundTrip: 200).additiveIncreasePerSecond == 4000)
  }

  @Test func capacityWindowAtSixHundredKilobits() {
    var capacity = LinkCapacityEstimate()
    #expect(capacity.rate == nil)
    capacity.add(.kilobits(600))
    // 3 sqrt(0.4 x 600) = 46.5.
    #expect(capacity.upperBound.map { abs($0.bitsPerSecond - 646_476) <= 1 } == true)
    #expect(capacity.lowerBound.map { abs($0.bitsPerSecond - 553_524) <= 1 } == true)
    for _ in 0..<200 {
      capacity.add(.kilobits(300))
      capacity.add(.kilobits(900))
    }
    // At the maximum variance, 3 sqrt(2.5 x mean).
    let mean = capacity.rate.map { Double($0.bitsPerSecond) / 1000 } ?? 0
    let upper = capacity.upperBound.map { Double($0.bitsPerSecond) / 1000 } ?? 0
    #expect(abs(upper - mean - 3 * (2.5 * mean).squareRoot()) < 0.01)
    capacity.reset()
    #expect(capacity.upperBound == nil)
  }

  @Test func logarithmAndPowerAreThoseOfTheLibrary() {
    for x in [1e-6, 0.01, 0.5, 0.999_999, 1, 1.08, 1.5, 2, 10, 1801, 1e6] {
      let exact: [Double: Double] = [
        1e-6: -13.815510557964274, 0.01: -4.605170185988091, 0.5: -0.6931471805599453,
        0.999_999: -1.000000500029089e-06, 1: 0, 1.08: 0.0769610411361284, 1.5: 0.4054651081081644,
        2: 0.6931471805599453, 10: 2.302585092994046, 1801: 7.496097345175956, 1e6: 13.815510557964274,
      ]
      let error = ReproducibleMath.logarithm(x) - (exact[x] ?? .nan)
      #expect(abs(error) <= 4e-15, "\(x)")
    }
    #expect(abs(ReproducibleMath.power(1.08, 0.5) - 1.039_230_484_541_326_5) < 1e-15)
    #expect(abs(ReproducibleMath.power(1.08, 1) - 1.08) < 1e-15)
    #expect(ReproducibleMath.power(1.08, 0) == 1)
  }
}
