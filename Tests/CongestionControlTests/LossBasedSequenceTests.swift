import CongestionControl
import Quantity
import Testing

/// Expectations of libwebrtc's `loss_based_bwe_v2_test.cc`: short sequences of messages whose two packets span an
/// observation. Where libwebrtc's test sets the estimate, the first message's delay-based estimate does so here.
@Suite("Loss-based estimate over short sequences")
struct LossBasedSequenceTests {
  private struct Sequence: ~Copyable {
    var estimator: LossBasedEstimator
    private var sequence: Int64 = 0

    init(
      window: Int = 2, required: Int = 1, minimum: Int64 = 1, maximum: BitRate = .megabits(1000),
      _ change: (inout LossBasedParameters) -> Void = { _ in }
    ) {
      var parameters = LossBasedParameters()
      parameters.observationWindow = window
      parameters.requiredObservations = required
      change(&parameters)
      estimator = LossBasedEstimator(parameters: parameters)
      estimator.constrain(minimum: .kilobits(minimum), maximum: maximum)
    }

    /// Adds a message of packets, sent at offsets in milliseconds from the start of the `number`th quarter of a second.
    mutating func add(
      _ number: Int, delayBased: BitRate?, limited: Bool = false,
      _ packets: [(sent: Double, size: Int32, isLost: Bool)]
    ) {
      let results = packets.map { packet in
        defer { sequence += 1 }
        let sent = Double(number) * 250 + packet.sent
        return packet.isLost
          ? lost(sequence, sent: sent, size: packet.size)
          : received(sequence, sent: sent, at: sent + 250, size: packet.size)
      }
      estimator.update(results, delayBased: delayBased, isApplicationLimited: limited)
    }

    mutating func clean(_ number: Int, delayBased: BitRate?, limited: Bool = false) {
      add(number, delayBased: delayBased, limited: limited, [(0, 15_000, false), (250, 15_000, false)])
    }

    mutating func half(_ number: Int, delayBased: BitRate?, limited: Bool = false) {
      add(number, delayBased: delayBased, limited: limited, [(0, 15_000, false), (250, 15_000, true)])
    }

    mutating func everything(_ number: Int, delayBased: BitRate?, limited: Bool = false, packets: Int = 2) {
      let first = (0..<(packets - 1)).map { (sent: Double($0) * 10, size: Int32(15_000), isLost: true) }
      add(number, delayBased: delayBased, limited: limited, first + [(250, 15_000, true)])
    }

    /// Adds ten packets, a quarter of a second apart, the last of which is lost.
    mutating func tenth(_ number: Int, delayBased: BitRate?, lostSize: Int32 = 15_000) {
      add(
        number, delayBased: delayBased,
        (0..<10).map { (packet: Int) -> (Double, Int32, Bool) in
          (Double(packet) * 250, packet == 9 ? lostSize : 15_000, packet == 9)
        })
    }

    /// Adds loss-free messages until a state is reached; returns the number of the next message.
    @discardableResult
    mutating func recover(
      until state: LossBasedEstimator.State, from number: Int, delayBased: BitRate?
    ) throws -> Int {
      for next in number..<(number + 200) {
        if estimator.state == state { return next }
        clean(next, delayBased: delayBased)
      }
      throw NoRecovery()
    }
  }

  private struct NoRecovery: Error {}

  /// IncreaseByHoldFactorAfterLossBasedBweBacksOff.
  @Test func afterTheHoldItIncreasesByAFifth() throws {
    var path = Sequence()
    path.estimator.setThroughput(.kilobits(100))
    path.everything(0, delayBased: .kilobits(600))
    let low = path.estimator.estimate
    try path.recover(until: .increasingWithPadding, from: 2, delayBased: .kilobits(5000))
    #expect(path.estimator.estimate == low.scaled(by: 1.2))
  }

  /// IncreaseByFactorOfAckedBitrateAfterLossBasedBweBacksOff, EnsureIncreaseEvenIfAckedBitrateBound: an increase ends
  /// at 1.2 times the acknowledged rate, and is at least one bit a second.
  @Test(arguments: [0.9, 0.5])
  func increasesAreBoundByTheAcknowledged(share: Double) throws {
    var path = Sequence {
      $0.preferenceThreshold = 0.99
      $0.rampUpFactor = 1.2
      $0.upperBoundBalance = .kilobits(10_000)
    }
    path.estimator.setThroughput(.kilobits(300))
    path.everything(0, delayBased: .kilobits(600))
    #expect(path.estimator.state == .decreasing)
    let low = path.estimator.estimate
    #expect(low < .kilobits(600))
    let acknowledged = low.scaled(by: share)
    path.estimator.setThroughput(acknowledged)
    let next = try path.recover(until: .increasingWithPadding, from: 1, delayBased: .kilobits(5000))
    let expected = max(acknowledged.scaled(by: 1.2), low + BitRate(bitsPerSecond: 1))
    #expect(path.estimator.estimate == expected)
    path.clean(next, delayBased: .kilobits(5000))
    #expect(path.estimator.estimate == expected)
  }

  /// NotBackOffToAckedRateInAlr, BackOffToAckedRateIfNotInAlr.
  @Test func aLimitedSenderDoesNotFallToTheAcknowledged() {
    var estimates: [BitRate] = []
    for limited in [true, false] {
      var path = Sequence(minimum: 10)
      path.estimator.setThroughput(.kilobits(100))
      path.everything(0, delayBased: .kilobits(600), limited: limited)
      estimates.append(path.estimator.estimate)
    }
    #expect(estimates[0] > .kilobits(100) && estimates[0] < .kilobits(600))
    #expect(estimates[1] == .kilobits(100))
  }

  /// BoundEstimateByAckedRate, NotBoundEstimateByAckedRate.
  @Test func theAcknowledgedIsAFloorByParameter() {
    var estimates: [BitRate] = []
    for factor in [1.0, 0] {
      var path = Sequence(minimum: 10) { $0.lowerBoundFactor = factor }
      path.estimator.setThroughput(.kilobits(500))
      path.everything(0, delayBased: .kilobits(600))
      estimates.append(path.estimator.estimate)
    }
    #expect(estimates[0] == .kilobits(500))
    #expect(estimates[1] < .kilobits(500))
  }

  /// HasDecreaseStateBecauseOfUpperBound: 10 kbps over an excess of 5 %.
  @Test func theUpperBoundIsADecrease() {
    var path = Sequence(minimum: 10) {
      $0.candidateFactors = [1]
      $0.upperBoundBalance = .kilobits(10)
    }
    path.estimator.setThroughput(.kilobits(100))
    path.tenth(0, delayBased: .kilobits(500))
    #expect(path.estimator.estimate == .kilobits(200))
    #expect(path.estimator.state == .decreasing)
  }

  /// HasIncreaseStateBecauseOfLowerBound.
  @Test func theLowerBoundIsAnIncrease() {
    var path = Sequence(minimum: 10) {
      $0.candidateFactors = [1]
      $0.lowerBoundFactor = 10
    }
    path.estimator.setThroughput(.kilobits(1))
    path.half(0, delayBased: .kilobits(500))
    #expect(path.estimator.state == .decreasing)
    path.estimator.setThroughput(.kilobits(200))
    path.half(2, delayBased: nil)
    #expect(path.estimator.estimate == .kilobits(2000))
    #expect(path.estimator.state == .increasingWithPadding)
  }

  /// HasDelayBasedStateIfLossBasedBweIsMax.
  @Test func atTheMaximumLossDoesNotLimit() throws {
    var path = Sequence(minimum: 10, maximum: .kilobits(1000))
    path.clean(0, delayBased: .kilobits(2000))
    #expect(path.estimator.state == .delayBased)
    #expect(path.estimator.estimate == .kilobits(1000))
    path.half(1, delayBased: .kilobits(2000))
    #expect(path.estimator.state == .decreasing)
    #expect(path.estimator.estimate < .kilobits(1000))
    try path.recover(until: .delayBased, from: 2, delayBased: .kilobits(2000))
    #expect(path.estimator.estimate == .kilobits(1000))
  }

  /// DecreaseAfterPadding: an increase that the acknowledged rate does not follow ends after the second of padding.
  @Test func paddingWithoutSuccessEnds() throws {
    var path = Sequence {
      $0.paddingDuration = .seconds(1)
      $0.rampUpFactor = 2
    }
    path.estimator.setThroughput(.kilobits(51))
    path.half(0, delayBased: .kilobits(2500))
    #expect(path.estimator.state == .decreasing)
    #expect(path.estimator.estimate == .kilobits(51))
    path.estimator.setThroughput(.kilobits(26))
    let increased = try path.recover(until: .increasingWithPadding, from: 1, delayBased: nil)
    let ended = try path.recover(until: .decreasing, from: increased, delayBased: nil)
    // Quarters of a second between the message after the increase and the one that ended it.
    #expect(ended - 1 - increased == 4)
  }

  /// DecreaseToAckedCandidateIfPaddingInAlr: while padding, the rate acknowledged from a limited sender counts.
  @Test func lossWhilePaddingFallsToTheAcknowledged() {
    var path = Sequence {
      $0.paddingDuration = .seconds(1)
      $0.upperBoundBalance = .kilobits(10_000)
    }
    var number = 0
    path.clean(number, delayBased: .kilobits(1000), limited: true)
    repeat {
      number += 1
      path.everything(number, delayBased: nil, limited: true)
    } while path.estimator.state != .decreasing && number < 100
    repeat {
      number += 1
      path.clean(number, delayBased: nil, limited: true)
    } while path.estimator.state != .increasingWithPadding && number < 200
    #expect(path.estimator.estimate > .kilobits(900), "\(path.estimator.estimate)")
    path.estimator.setThroughput(.kilobits(100))
    path.everything(number + 1, delayBased: nil, limited: true)
    #expect(path.estimator.state == .decreasing)
    #expect(path.estimator.estimate == .kilobits(100))
  }

  /// HoldRateNotLowerThanAckedRate.
  @Test func theHeldRateFollowsTheAcknowledged() {
    var path = Sequence { $0.holdFactor = 10 }
    path.half(0, delayBased: .kilobits(2500))
    #expect(path.estimator.state == .decreasing)
    path.estimator.setThroughput(.kilobits(1000))
    path.half(1, delayBased: nil)
    #expect(path.estimator.state == .decreasing)
    #expect(path.estimator.estimate == .kilobits(1000))
  }

  /// EstimateNotLowerThanAckedRate.
  @Test func theEstimateRecoversFromTheAcknowledged() {
    var path = Sequence()
    path.everything(0, delayBased: .kilobits(2500))
    #expect(path.estimator.estimate < .kilobits(1000))
    path.estimator.setThroughput(.kilobits(1000))
    path.everything(1, delayBased: nil)
    #expect(path.estimator.estimate == .kilobits(1000))
    path.clean(2, delayBased: nil)
    path.clean(3, delayBased: nil)
    #expect(path.estimator.estimate > .kilobits(1000))
  }

  /// EndHoldDurationIfDelayBasedEstimateWorks.
  @Test func theDelayEndsTheHold() {
    var path = Sequence()
    path.half(0, delayBased: .kilobits(2500))
    #expect(path.estimator.state == .decreasing)
    let near = path.estimator.estimate + .kilobits(10)
    path.clean(1, delayBased: near)
    path.clean(2, delayBased: near)
    #expect(path.estimator.state == .delayBased)
    #expect(path.estimator.estimate == near)
  }

  /// UseByteLossRate: one packet in ten, but more than half of the bytes.
  @Test func lossCountsByBytes() {
    var path = Sequence()
    path.tenth(0, delayBased: .kilobits(500), lostSize: 300_000)
    #expect(path.estimator.state == .decreasing)
    #expect(path.estimator.estimate < .kilobits(160))
  }

  /// UseByteLossRateIgnoreLossSpike.
  @Test func oneSpikeIsIgnoredTwoAreNot() {
    var path = Sequence(window: 5, required: 3)
    for number in 0..<5 { path.clean(number, delayBased: .kilobits(500)) }
    path.everything(5, delayBased: .kilobits(500))
    path.clean(6, delayBased: .kilobits(500))
    #expect(path.estimator.state == .delayBased)
    #expect(path.estimator.estimate == .kilobits(500))
    path.everything(7, delayBased: .kilobits(500))
    #expect(path.estimator.state == .decreasing)
    #expect(path.estimator.estimate < .kilobits(500))
  }

  /// UseByteLossRateDoesNotIgnoreLossSpikeOnSendBurst.
  @Test func aSpikeInABurstCounts() {
    var path = Sequence(window: 5, required: 3)
    for number in 0..<5 { path.clean(number, delayBased: .kilobits(500)) }
    path.everything(5, delayBased: .kilobits(500), packets: 5)
    #expect(path.estimator.state == .decreasing)
    #expect(path.estimator.estimate < .kilobits(500))
  }

  /// NotIncreaseIfInherentLossLessThanAverageLoss.
  @Test func lossAboveTheInherentOneStopsIncreases() {
    var path = Sequence { $0.candidateFactors = [1.2] }
    path.tenth(0, delayBased: .kilobits(600))
    path.tenth(1, delayBased: nil)
    #expect(path.estimator.estimate == .kilobits(600))
  }

  /// SelectHigherCandidateIfHavingSameObjective.
  @Test func ofEqualCandidatesTheGreaterWins() {
    var path = Sequence()
    path.clean(0, delayBased: .kilobits(1000))
    let delayBased = BitRate(bitsPerSecond: 1_020_008)
    path.clean(1, delayBased: delayBased)
    #expect(path.estimator.estimate == delayBased)
  }

  /// BandwidthEstimateIsCappedToBeTcpFairGivenTooHighLossRate: 90 kbps over an excess of 90 %.
  @Test func totalLossIsBoundByTheBalance() {
    var path = Sequence(window: 15) {
      $0.candidateFactors = [1.1, 1, 0.95]
      $0.upperBoundBalance = .kilobits(90)
      $0.upperBoundLossOffset = 0.1
    }
    path.everything(0, delayBased: .kilobits(600))
    #expect(path.estimator.estimate == .kilobits(100))
  }

  /// EstimateDoesNotBackOffDueToPacketReorderingBetweenFeedback.
  @Test func reorderingBetweenMessagesIsNoLoss() {
    var estimator = LossBasedEstimator(
      parameters: {
        var parameters = LossBasedParameters()
        parameters.observationWindow = 2
        parameters.requiredObservations = 1
        return parameters
      }())
    let delayBased = BitRate.kilobits(2500)
    estimator.update(
      [
        received(1, sent: 0, at: 10, size: 15_000), lost(2, sent: 0, size: 15_000),
        received(3, sent: 0, at: 10, size: 15_000),
      ], delayBased: delayBased, isApplicationLimited: false)
    estimator.update(
      [
        received(2, sent: 0, at: 10, size: 15_000), received(4, sent: 250, at: 260, size: 15_000),
        received(5, sent: 0, at: 10, size: 15_000),
      ], delayBased: delayBased, isApplicationLimited: false)
    #expect(estimator.estimate == delayBased)
  }
}
