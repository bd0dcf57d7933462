package import Quantity

/// What bounds the target of a controller now.
package enum TargetBound: UInt8, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  /// Nothing is known but the start rate.
  case start
  /// Delay on the path.
  case delay
  /// Losses on the path.
  case loss
  /// What is acknowledged: growth ends at 1.5 times of it, and loss pushes no lower than it.
  case acknowledged
  /// The result of a probe.
  case probe
  /// The receiver (REMB).
  case receiver
  /// A round trip, or a silence of feedback, of seconds.
  case roundTrip
  case minimum
  case maximum
}

/// What can be set about the rule that acts on loss reports while there is no transport feedback
/// (`send_side_bandwidth_estimation.cc`).
package struct LossReportParameters: Hashable, Sendable {
  /// Up to this loss the target grows, above the other it falls.
  package var low = 0.02
  package var high = 0.1
  /// Growth relative to the least target of the last ``growthInterval``, plus ``growthAllowance``.
  package var growth = 1.08
  package var growthInterval = SimDuration.seconds(1)
  package var growthAllowance = BitRate.kilobits(1)
  /// Two decreases are at least this and a round trip apart.
  package var decreaseInterval = SimDuration.milliseconds(300)
  /// A loss rate rests on at least as many packets.
  package var requiredPackets = 20
  /// A report counts for this long: 1.2 times the longest interval of reports.
  package var validity = SimDuration.seconds(6)
  /// While no loss is reported, the estimates of delay and receiver are followed upwards for this long.
  package var startPhase = SimDuration.seconds(2)

  package init() {}
}

/// Joins the estimates of delay, loss and receiver into one target (libwebrtc's `send_side_bandwidth_estimation.cc`).
package struct SendSideEstimator: ~Copyable, Sendable {
  struct Past: BitwiseCopyable, Sendable {
    var at: SimTime
    var target: BitRate
  }

  /// The greatest target without a configured one.
  package static let greatest = BitRate.megabits(1000)
  private let parameters: LossReportParameters
  private var current = BitRate.zero
  private var currentBound = TargetBound.start
  private var minimum = BitRate.kilobits(5)
  private var maximum = Self.greatest
  private var receiverLimit = BitRate.unlimited
  private var delayLimit = BitRate.unlimited
  private var delayBound = TargetBound.start
  /// Targets of the last ``LossReportParameters/growthInterval``, rising: the first is the least.
  private var history = RingBuffer<Past>()
  private var decreasedAt: SimTime?
  private var hasDecreasedSinceReport = false
  private var firstReportAt: SimTime?
  private var lastReportAt: SimTime?
  private var pendingLost = 0
  private var pendingPackets = 0
  /// Round trip of the last receiver report.
  private var reportedRoundTrip = SimDuration.zero

  package private(set) var loss: LossBasedEstimator
  package private(set) var backoff: RoundTripBackoff
  /// Loss in the last report that had enough packets [1/256].
  package private(set) var fractionLost = 0
  package private(set) var lossState = LossBasedEstimator.State.delayBased

  package init(
    parameters: LossReportParameters = .init(), loss: LossBasedParameters = .init(),
    backoff: RoundTripBackoffParameters = .init()
  ) {
    self.parameters = parameters
    self.loss = LossBasedEstimator(parameters: loss)
    self.backoff = RoundTripBackoff(parameters: backoff)
    self.loss.constrain(minimum: minimum, maximum: maximum)
  }

  /// The least and greatest target rule over every estimate; so does the receiver's limit.
  package var target: BitRate { max(minimum, min(current, receiverLimit)) }

  /// What bounds ``target``.
  package var bound: TargetBound {
    if min(current, receiverLimit) < minimum { return .minimum }
    return receiverLimit < current ? .receiver : currentBound
  }

  package mutating func constrain(minimum: BitRate, maximum: BitRate) {
    self.minimum = max(minimum, .kilobits(5))
    let isConfigured = maximum > .zero && maximum < Self.greatest
    self.maximum = isConfigured ? max(self.minimum, maximum) : Self.greatest
    loss.constrain(minimum: self.minimum, maximum: self.maximum)
  }

  /// Sets the target itself, as at the start or by a probe; the delay-based limit ends.
  package mutating func set(_ rate: BitRate, bound: TargetBound) {
    delayLimit = .unlimited
    setTarget(rate, bound: bound)
    history.removeAll()
  }

  package mutating func limit(byReceiver rate: BitRate?) {
    receiverLimit = rate ?? .unlimited
    applyLimits()
  }

  package mutating func limit(byDelay rate: BitRate, bound: TargetBound) {
    delayLimit = rate
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

  /// Takes a feedback message in the order of sending.
  package mutating func update(_ results: [PacketResult], isApplicationLimited: Bool, at now: SimTime) {
    loss.update(results, delayBased: delayLimit, isApplicationLimited: isApplicationLimited)
    update(at: now)
  }

  /// Takes the losses of a receiver report.
  package mutating func report(lost: Int, of packets: Int, roundTrip: SimDuration, at now: SimTime) {
    if roundTrip > .zero { reportedRoundTrip = roundTrip }
    if firstReportAt == nil { firstReportAt = now }
    guard packets > 0 else { return }
    pendingLost += lost
    pendingPackets += packets
    guard pendingPackets >= parameters.requiredPackets else { return }
    hasDecreasedSinceReport = false
    fractionLost = min(max(pendingLost, 0) * 256 / pendingPackets, 255)
    pendingLost = 0
    pendingPackets = 0
    lastReportAt = now
    update(at: now)
  }

  /// Brings the target up to date; called every 25 ms and with every report.
  package mutating func update(at now: SimTime) {
    if backoff.isAboveLimit {
      backOff(at: now)
      return
    }
    if followsEstimates(at: now) {
      let received = receiverLimit == .unlimited ? current : max(current, receiverLimit)
      let raised = delayLimit == .unlimited ? received : max(received, delayLimit)
      if raised != current {
        history.removeAll()
        history.append(Past(at: now, target: current))
        setTarget(raised, bound: raised == delayLimit ? delayBound : .receiver)
        return
      }
    }
    remember(at: now)
    if loss.isReady {
      lossState = loss.state
      let held: TargetBound = loss.isHeldByThroughput ? .acknowledged : .loss
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
    if share <= parameters.low, let least = history.first {
      let raised = least.target.scaled(by: parameters.growth) + parameters.growthAllowance
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

  /// Keeps the least target of the last interval first in the history.
  private mutating func remember(at now: SimTime) {
    // libwebrtc counts whole milliseconds and forgets one early.
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
    if current > delayLimit {
      current = delayLimit
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
