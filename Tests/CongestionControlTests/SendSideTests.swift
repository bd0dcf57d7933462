import CongestionControl
import Quantity
import Testing

@Suite("The target without feedback, and its bounds")
struct SendSideTests {
  private func estimator(_ kilobits: Int64) -> SendSideEstimator {
    var estimator = SendSideEstimator()
    estimator.constrain(minimum: .kilobits(5), maximum: .unlimited)
    estimator.set(.kilobits(kilobits), bound: .start)
    return estimator
  }

  @Test func littleLossGrowsByEightPerCent() {
    var estimator = estimator(1000)
    estimator.report(lost: 0, of: 100, roundTrip: .milliseconds(100), at: .zero)
    // The lowest target of the last second times 1.08 plus 1 kbit/s, however often it is read.
    #expect(estimator.target == .kilobits(1081))
    estimator.update(at: time(25))
    estimator.update(at: time(500))
    #expect(estimator.target == .kilobits(1081))
    estimator.update(at: time(1000))
    #expect(estimator.target == BitRate(bitsPerSecond: 1_168_480))
  }

  @Test func moderateLossHolds() {
    var estimator = estimator(1000)
    estimator.report(lost: 5, of: 100, roundTrip: .milliseconds(100), at: .zero)
    estimator.update(at: time(1000))
    #expect(estimator.target == .kilobits(1000))
  }

  @Test func heavyLossFallsByHalfOfIt() {
    var estimator = estimator(1000)
    estimator.report(lost: 20, of: 100, roundTrip: .milliseconds(100), at: .zero)
    // 20 % are 51/256: 1 - 51/512.
    #expect(estimator.target == BitRate(bitsPerSecond: 900_391))
    // Once per report...
    estimator.update(at: time(1000))
    #expect(estimator.target == BitRate(bitsPerSecond: 900_391))
    // ... and once per 300 ms plus a round trip.
    estimator.report(lost: 20, of: 100, roundTrip: .milliseconds(100), at: time(399))
    #expect(estimator.target == BitRate(bitsPerSecond: 900_391))
    estimator.report(lost: 20, of: 100, roundTrip: .milliseconds(100), at: time(400))
    #expect(estimator.target == BitRate(bitsPerSecond: 810_704))
    #expect(estimator.bound == .loss)
  }

  @Test func fewPacketsWaitForMore() {
    var estimator = estimator(1000)
    estimator.report(lost: 5, of: 19, roundTrip: .milliseconds(100), at: .zero)
    #expect(estimator.target == .kilobits(1000))
    #expect(estimator.fractionLost == 0)
    estimator.report(lost: 0, of: 1, roundTrip: .milliseconds(100), at: time(100))
    // 5 of 20.
    #expect(estimator.fractionLost == 64)
    #expect(estimator.target == .kilobits(875))
  }

  @Test func theStartPhaseFollowsTheDelayUpwards() {
    var estimator = estimator(300)
    estimator.limit(byDelay: .kilobits(900), bound: .probe)
    estimator.update(at: time(100))
    #expect(estimator.target == .kilobits(900))
    #expect(estimator.bound == .probe)
    estimator.limit(byDelay: .kilobits(700), bound: .delay)
    #expect(estimator.target == .kilobits(700))
  }

  @Test func aBrokenRoundTripBacksOff() {
    var estimator = estimator(1000)
    estimator.send(from: .zero, to: .zero)
    estimator.send(from: time(3000), to: time(3000))
    estimator.update(at: time(3000))
    #expect(estimator.target == .kilobits(1000))
    estimator.send(from: time(3001), to: time(3001))
    var targets: [Int64] = []
    for step in 0..<4 {
      estimator.update(at: time(3001 + Double(step) * 500))
      targets.append(estimator.target.bitsPerSecond / 1000)
    }
    #expect(targets == [800, 800, 640, 640])
    #expect(estimator.bound == .roundTrip)
    for step in 2..<60 { estimator.update(at: time(3001 + Double(step) * 1000)) }
    #expect(estimator.target == .kilobits(5))
    // Feedback ends the limit.
    estimator.setPropagationRoundTrip(.milliseconds(50), at: time(100_000))
    #expect(!estimator.backoff.isAboveLimit)
  }
}

@Suite("Application-limited region")
struct ApplicationLimitedRegionTests {
  /// Sends 50 B of every millisecond's budget at a rate until a state is reached; returns milliseconds.
  private func run(
    _ region: inout ApplicationLimitedRegion, size: Int32, from begin: Int, until isLimited: Bool
  ) -> Int? {
    for step in 0..<10_000 {
      region.send(size: size, at: time(Double(begin + step)))
      if (region.startedAt != nil) == isLimited { return step }
    }
    return nil
  }

  @Test func fortyPerCentOfTheTargetIsLimitedAfterFourHundredMilliseconds() {
    var region = ApplicationLimitedRegion()
    region.setTarget(.megabits(1))
    // 0.4 x 500 ms x 0.8 / (0.8 - 0.4) = 400 ms, which has to be exceeded.
    let entered = run(&region, size: 50, from: 0, until: true)
    #expect(entered.map { (400...402).contains($0) } == true, "\(String(describing: entered))")
    // The full target overdraws by 0.2 of it: from 0.4 to -0.6 of 0.4 Mbit takes 2 s.
    let left = run(&region, size: 125, from: (entered ?? 0) + 1, until: false)
    #expect(left.map { (1998...2005).contains($0) } == true, "\(String(describing: left))")
  }

  @Test func eightyPerCentNeverIs() {
    var region = ApplicationLimitedRegion()
    region.setTarget(.megabits(1))
    let entered = run(&region, size: 100, from: 0, until: true)
    #expect(entered == nil)
  }
}
