import CongestionControl
import Quantity
import Testing

@Suite("Loss-based estimate")
struct LossBasedEstimatorTests {
  /// A message of 250 ms: packets of 1000 B, of which the first `lossPercent` of every hundred are lost.
  private func message(
    _ number: Int, packets: Int = 100, lossPercent: Int = 0, spacing: Double = 2.5
  ) -> [PacketResult] {
    let begin = Double(number) * Double(packets) * spacing
    return (0..<packets).map { index in
      let sequence = Int64(number * packets + index)
      let sent = begin + Double(index + 1) * spacing
      return index * 100 / packets < lossPercent
        ? lost(sequence, sent: sent, size: 1000) : received(sequence, sent: sent, at: sent + 50, size: 1000)
    }
  }

  private func observations(_ losses: [Int], packets: Int = 100, spacing: Double = 2.5) -> LossObservations {
    var observations = LossObservations()
    // The first packet only starts the clock.
    _ = observations.add([received(-1, sent: 0, at: 50, size: 0)])
    for (number, loss) in losses.enumerated() {
      _ = observations.add(message(number, packets: packets, lossPercent: loss, spacing: spacing))
    }
    return observations
  }

  private func estimator(_ losses: [Int], delayBased: Int64, throughput: Int64? = nil) -> LossBasedEstimator {
    var estimator = LossBasedEstimator()
    estimator.constrain(minimum: .kilobits(5), maximum: .megabits(1000))
    if let throughput { estimator.setThroughput(.kilobits(throughput)) }
    estimator.update(
      [received(-1, sent: 0, at: 50, size: 0)], delayBased: .kilobits(delayBased), isApplicationLimited: false
    )
    for (number, loss) in losses.enumerated() {
      estimator.update(
        message(number, lossPercent: loss), delayBased: .kilobits(delayBased), isApplicationLimited: false)
    }
    return estimator
  }

  @Test func anObservationIsAQuarterOfASecond() {
    var observations = LossObservations()
    let first = observations.add([received(0, sent: 0, at: 50)])
    let second = observations.add([received(1, sent: 249, at: 299)])
    let third = observations.add([received(2, sent: 250, at: 300)])
    #expect([first, second, third] == [false, false, true])
    #expect(observations.total == 1)
    #expect(observations.observation(0).0.size == 3600)
    #expect(observations.observation(0).0.sendingRate == BitRate(bitsPerSecond: 115_200))
  }

  @Test func aPacketThatComesAfterAllIsNotLost() {
    var observations = LossObservations()
    let first = observations.add([received(0, sent: 0, at: 50), lost(1, sent: 100), lost(2, sent: 101)])
    let second = observations.add([
      received(1, sent: 100, at: 400), lost(2, sent: 101), received(3, sent: 300, at: 410),
    ])
    #expect([first, second] == [false, true])
    #expect(observations.observation(0).0.lostSize == 1200)
  }

  @Test func averageLossLeavesOutTheExtremes() {
    #expect(abs(observations([10, 10, 10]).averageLoss - 0.1) < 1e-12)
    // Four observations with weights 0.729, 0.81, 0.9, 1: without 0 % and 40 %, 10 % and 20 % remain.
    let weighted: Double = 0.81 * 0.1 + 0.9 * 0.2
    let average = weighted / 1.71
    #expect(abs(observations([0, 10, 20, 40]).averageLoss - average) < 1e-12)
  }

  @Test func lossOfABurstIsNoOutlier() {
    var observations = observations([0, 0, 0, 0])
    // As many bytes in a quarter of the time, 40 % of them lost: sent at more than twice the median rate.
    let burst = (0..<500).map { index in
      let sent = 1000 + Double(index + 1) * 0.5
      return index % 5 < 2
        ? lost(Int64(2000 + index), sent: sent, size: 1000)
        : received(Int64(2000 + index), sent: sent, at: sent + 50, size: 1000)
    }
    let isComplete = observations.add(burst)
    #expect(isComplete)
    // 500 kB at weight 1 beside 100 kB at 0.9, 0.81, 0.729, 0.6561.
    let average = 200 / (500 + 100 * (0.9 + 0.81 + 0.729 + 0.6561))
    #expect(abs(observations.averageLoss - average) < 1e-12)
  }

  @Test func lossBeyondTheBandwidth() {
    let model = LossModel(inherentLoss: 0.01, bandwidth: .kilobits(1000))
    #expect(model.lossProbability(at: .kilobits(900)) == 0.01)
    // Half of what is sent exceeds the bandwidth; 1 % of the rest is lost.
    #expect(abs(model.lossProbability(at: .kilobits(2000)) - 0.505) < 1e-12)
  }

  @Test func inherentLossHasBounds() {
    var model = LossModel(inherentLoss: 0.9, bandwidth: .kilobits(1000))
    model.makeFeasible(.init())
    #expect(abs(model.inherentLoss - 0.15) < 1e-12)
    model.inherentLoss = 0
    model.makeFeasible(.init())
    #expect(model.inherentLoss == 0.001)
  }

  @Test func newtonsStep() {
    // 100 kB, 10 kB lost, p = 0.01: first derivative 10/0.01 - 90/0.99 = 909.09, second
    // -(10/0.0001 + 90/0.9801) = -100091.8; three quarters of the step add 0.006812.
    var model = LossModel(inherentLoss: 0.01, bandwidth: .kilobits(10_000))
    model.improve(on: observations([10]), .init())
    #expect(abs(model.inherentLoss - 0.016_812) < 1e-6)
  }

  @Test func objectiveByHand() {
    let parameters = LossBasedParameters()
    let model = LossModel(inherentLoss: 0.1, bandwidth: .kilobits(5000))
    // 10 kB lost, 90 kB received; preference 0.1 / 0.102 x (0.0002 x 5000 + 0.02 ln 5001) on 100 kB.
    let likelihood = 10 * -2.302_585_093 + 90 * -0.105_360_516
    let preference = 0.1 / 0.102 * (1 + 0.02 * 8.517_393_171) * 100
    #expect(abs(model.objective(on: observations([10]), parameters) - likelihood - preference) < 1e-6)
  }

  @Test(arguments: [(10, 2_000_000), (20, 666_667), (50, 222_222)] as [(Int, Int64)])
  func upperBound(lossPercent: Int, bitsPerSecond: Int64) {
    let estimator = estimator([lossPercent, lossPercent, lossPercent, lossPercent], delayBased: 3000)
    #expect(abs(estimator.upperBound.bitsPerSecond - bitsPerSecond) <= 1)
    #expect(estimator.estimate <= estimator.upperBound)
  }

  @Test func thereIsNoUpperBoundBelowFivePerCent() {
    #expect(estimator([4, 4, 4, 4], delayBased: 3000).upperBound == .megabits(1000))
  }

  @Test func whatIsDeliveredIsTheLowerBound() {
    // A loss of 50 % bounds the estimate at 222 kbit/s, but 1600 kbit/s arrive.
    let estimator = estimator([50, 50, 50, 50, 50], delayBased: 3200, throughput: 1600)
    #expect(estimator.lowerBound == .kilobits(1600))
    #expect(estimator.estimate == .kilobits(1600))
    let isHeld = estimator.isBoundedByThroughput
    #expect(isHeld)
  }

  @Test func threeObservationsMakeItReady() {
    let isReadyAfterTwo = estimator([0, 0], delayBased: 3000).isReady
    let isReadyAfterThree = estimator([0, 0, 0], delayBased: 3000).isReady
    #expect(!isReadyAfterTwo)
    #expect(estimator([0, 0], delayBased: 3000).estimate == .kilobits(3000))
    #expect(isReadyAfterThree)
  }

  @Test func aCleanPathFollowsTheDelay() {
    let estimator = estimator(Array(repeating: 0, count: 20), delayBased: 3000, throughput: 2800)
    #expect(estimator.estimate == .kilobits(3000))
    #expect(estimator.state == .delayBased)
  }

  @Test func steadyLossIsThePathsOwn() {
    // A loss of 2 % whatever the rate: the path's inherent loss costs nothing.
    let estimator = estimator(Array(repeating: 2, count: 40), delayBased: 3300, throughput: 3100)
    #expect(estimator.estimate == .kilobits(3300))
    #expect(estimator.state == .delayBased)
  }

  @Test func heavyLossDecreasesThenHolds() {
    // 3200 kbit/s sent, 30 % lost: at most 100 / 0.25 = 400 kbit/s unless more arrives.
    var estimator = estimator([30, 30, 30, 30], delayBased: 3200, throughput: 300)
    #expect(estimator.state == .decreasing)
    #expect(abs(estimator.estimate.bitsPerSecond - 400_000) <= 1)
    // The path is clean at once; during the hold of 300 ms the rate stays.
    estimator.update(
      message(4), delayBased: .kilobits(3200), isApplicationLimited: false)
    #expect(estimator.state == .decreasing)
    #expect(estimator.estimate <= .kilobits(401))
    // Then the rate increases, with padding to test it.
    var states: Set<LossBasedEstimator.State> = []
    for number in 5..<60 {
      estimator.setThroughput(.kilobits(min(3200, estimator.estimate.bitsPerSecond / 1000)))
      estimator.update(message(number), delayBased: .kilobits(3200), isApplicationLimited: false)
      states.insert(estimator.state)
    }
    #expect(states.contains(.increasingWithPadding))
    #expect(estimator.state == .delayBased)
    #expect(estimator.estimate == .kilobits(3200))
  }

  @Test func anIncreaseIsBoundedByItsWindowAndTheAcknowledged() {
    var estimator = estimator([30, 30, 30, 30], delayBased: 3200, throughput: 300)
    var before = estimator.estimate
    for number in 4..<30 {
      estimator.setThroughput(before)
      estimator.update(message(number), delayBased: .kilobits(3200), isApplicationLimited: false)
      let now = estimator.estimate
      // One message every 250 ms: a window of 300 ms covers two at most.
      #expect(
        now <= max(before.scaled(by: 1.3 * 1.3), before + BitRate(bitsPerSecond: 2)), "\(now) after \(before)"
      )
      before = now
    }
    #expect(before > .kilobits(1000))
  }
}
