package import Quantity

/// Current bound of a controller's target.
package enum TargetBound: UInt8, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  /// Start rate, before any measurement.
  case start
  /// Delay on the path.
  case delay
  /// Losses on the path.
  case loss
  /// Acknowledged rate: increases end at 1.5 times this rate, and loss does not reduce the target below it.
  case acknowledged
  /// Probe result.
  case probe
  /// Receiver's limit (REMB).
  case receiver
  /// Excessive round trip or missing feedback.
  case roundTrip
  case minimum
  case maximum

  init(_ origin: AIMDRateControl.Origin) {
    switch origin {
    case .start: self = .start
    case .delay: self = .delay
    case .acknowledged: self = .acknowledged
    case .probe: self = .probe
    }
  }
}

/// Parameters of the loss report rule used while there is no transport feedback (`send_side_bandwidth_estimation.cc`).
package struct LossReportParameters: Hashable, Sendable {
  /// Loss up to which the target increases.
  package var low = 0.02
  /// Loss above which the target decreases.
  package var high = 0.1
  /// Increase relative to the minimum target of the last ``growthInterval``, plus ``growthAllowance``.
  package var growth = 1.08
  /// Interval whose minimum target an increase starts from.
  package var growthInterval = SimDuration.seconds(1)
  /// Absolute part of an increase.
  package var growthAllowance = BitRate.kilobits(1)
  /// Minimum interval between decreases, in addition to a round trip.
  package var decreaseInterval = SimDuration.milliseconds(300)
  /// Minimum number of packets for a loss rate.
  package var requiredPackets = 20
  /// Validity of a report: 1.2 times the maximum report interval.
  package var validity = SimDuration.seconds(6)
  /// Start phase in which, without reported loss, the target follows increases of the delay-based estimate and the
  /// receiver's limit.
  package var startPhase = SimDuration.seconds(2)

  package init() {}
}

/// Combination of the delay-based, loss-based and receiver estimates into the target (libwebrtc's
/// `send_side_bandwidth_estimation.cc`).
package struct SendSideEstimator: ~Copyable, Sendable {
  struct Past: BitwiseCopyable, Sendable {
    var at: SimTime
    var target: BitRate
  }

  /// Maximum target if none is configured.
  package static let maximumTarget = BitRate.megabits(1000)
  private let parameters: LossReportParameters
  private var current = BitRate.zero
  private var currentBound = TargetBound.start
  private var minimum = BitRate.kilobits(5)
  private var maximum = Self.maximumTarget
  private var receiverLimit = RateLimit.unlimited
  private var delayLimit = RateLimit.unlimited
  private var delayBound = TargetBound.start
  /// Targets of the last ``LossReportParameters/growthInterval``, increasing: the first is the minimum.
  private var history = RingBuffer<Past>()
  private var decreasedAt: SimTime?
  private var hasDecreasedSinceReport = false
  private var firstReportAt: SimTime?
  private var lastReportAt: SimTime?
  private var reportedLoss: ReportedLoss
  /// Round trip of the last receiver report.
  private var reportedRoundTrip = SimDuration.zero

  package private(set) var loss: LossBasedEstimator
  package private(set) var backoff: RoundTripBackoff
  /// Loss in the last report with enough packets [1/256].
  package var fractionLost: Int { reportedLoss.fraction }
  package private(set) var lossState = LossBasedEstimator.State.delayBased

  package init(
    parameters: LossReportParameters = .init(), loss: LossBasedParameters = .init(),
    backoff: RoundTripBackoffParameters = .init()
  ) {
    self.parameters = parameters
    reportedLoss = ReportedLoss(requiredPackets: parameters.requiredPackets)
    self.loss = LossBasedEstimator(parameters: loss)
    self.backoff = RoundTripBackoff(parameters: backoff)
    self.loss.constrain(minimum: minimum, maximum: maximum)
  }

  /// Target, within its bounds and the receiver's limit.
  package var target: BitRate { max(minimum, receiverLimit.confining(current)) }

  /// Current bound of ``target``.
  package var bound: TargetBound {
    if receiverLimit.confining(current) < minimum { return .minimum }
    return receiverLimit.admits(current) ? currentBound : .receiver
  }

  package mutating func constrain(minimum: BitRate, maximum: RateLimit) {
    self.minimum = max(minimum, .kilobits(5))
    if let maximum = maximum.rate, maximum > .zero, maximum < Self.maximumTarget {
      self.maximum = max(self.minimum, maximum)
    } else {
      self.maximum = Self.maximumTarget
    }
    loss.constrain(minimum: self.minimum, maximum: self.maximum)
  }

  /// Sets the target directly, at the start or by a probe, and clears the delay-based limit.
  package mutating func set(_ rate: BitRate, bound: TargetBound) {
    delayLimit = .unlimited
    setTarget(rate, bound: bound)
    history.removeAll()
  }

  package mutating func limit(byReceiver rate: BitRate?) {
    receiverLimit = rate.map(RateLimit.init) ?? .unlimited
    applyLimits()
  }

  package mutating func limit(byDelay rate: BitRate, bound: TargetBound) {
    delayLimit = RateLimit(rate)
    delayBound = bound
    applyLimits()
  }

  package mutating func setThroughput(_ rate: BitRate?) {
    if let rate { loss.setThroughput(rate) }
  }

  package mutating func send(from first: SimTime, to last: SimTime) { backoff.send(from: first, to: last) }
  package mutating func setPropagationRoundTrip(_ time: SimDuration, at now: SimTime) {
    backoff.update(time, at: now)
  }

  /// Processes a feedback message in sending order.
  package mutating func update(_ results: [PacketResult], isApplicationLimited: Bool, at now: SimTime) {
    loss.update(results, delayBased: delayLimit.rate, isApplicationLimited: isApplicationLimited)
    update(at: now)
  }

  /// Processes the losses of a receiver report.
  package mutating func report(lost: Int, of packets: Int, roundTrip: SimDuration, at now: SimTime) {
    if roundTrip > .zero { reportedRoundTrip = roundTrip }
    if firstReportAt == nil { firstReportAt = now }
    guard packets > 0, reportedLoss.add(lost: lost, of: packets) else { return }
    hasDecreasedSinceReport = false
    lastReportAt = now
    update(at: now)
  }

  /// Updates the target; called every 25 ms and with every report.
  package mutating func update(at now: SimTime) {
    if backoff.isAboveLimit {
      backOff(at: now)
      return
    }
    if followsEstimates(at: now) {
      let received = max(current, receiverLimit.rate ?? current)
      let raised = max(received, delayLimit.rate ?? received)
      if raised != current {
        history.removeAll()
        history.append(Past(at: now, target: current))
        setTarget(raised, bound: RateLimit(raised) == delayLimit ? delayBound : .receiver)
        return
      }
    }
    remember(at: now)
    if loss.isReady {
      lossState = loss.state
      let held: TargetBound = loss.isBoundedByThroughput ? .acknowledged : .loss
      setTarget(loss.estimate, bound: lossState == .delayBased ? delayBound : held)
    } else if let lastReportAt, now - lastReportAt < parameters.validity {
      actOnReport(at: now)
    } else {
      applyLimits()
    }
  }

  private mutating func backOff(at now: SimTime) {
    let floor = backoff.parameters.floor
    let isDue = decreasedAt.map { now - $0 >= backoff.parameters.interval } ?? true
    guard isDue, current > floor else {
      applyLimits()
      return
    }
    decreasedAt = now
    setTarget(max(current.scaled(by: backoff.parameters.factor), floor), bound: .roundTrip)
  }

  private func followsEstimates(at now: SimTime) -> Bool {
    let isInStartPhase = firstReportAt.map { now - $0 < parameters.startPhase } ?? true
    return fractionLost == 0 && isInStartPhase && !loss.isReady
  }

  private mutating func actOnReport(at now: SimTime) {
    let share = Double(fractionLost) / 256
    if share <= parameters.low, let minimum = history.first {
      let raised = minimum.target.scaled(by: parameters.growth) + parameters.growthAllowance
      setTarget(raised, bound: .loss)
      return
    }
    let interval = parameters.decreaseInterval + reportedRoundTrip
    let isDue = decreasedAt.map { now - $0 >= interval } ?? true
    if share > parameters.high, !hasDecreasedSinceReport, isDue {
      decreasedAt = now
      hasDecreasedSinceReport = true
      setTarget(current.scaled(by: 1 - 0.5 * share), bound: .loss)
    } else {
      applyLimits()
    }
  }

  /// Records the current target, keeping the minimum of the last interval first in the history.
  private mutating func remember(at now: SimTime) {
    // libwebrtc counts whole milliseconds and expires one early.
    while let first = history.first, now - first.at + .milliseconds(1) > parameters.growthInterval {
      history.removeFirst()
    }
    while let last = history.last, current <= last.target { history.removeLast() }
    history.append(Past(at: now, target: current))
  }

  private mutating func applyLimits() { setTarget(current, bound: currentBound) }

  private mutating func setTarget(_ rate: BitRate, bound: TargetBound) {
    current = rate
    currentBound = bound
    if !delayLimit.admits(current) {
      current = delayLimit.confining(current)
      currentBound = delayBound
    }
    if current >= maximum {
      current = maximum
      currentBound = .maximum
    }
    if current < minimum {
      current = minimum
      currentBound = .minimum
    }
  }
}
