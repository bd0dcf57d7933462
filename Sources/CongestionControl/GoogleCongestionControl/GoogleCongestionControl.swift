package import Quantity

/// Google Congestion Control as a sender runs it today: a delay trend, losses and probes make a target rate.
///
/// After libwebrtc's `modules/congestion_controller/goog_cc` of 2026, fed with what leaves the pacer and with
/// transport-wide feedback; it knows neither clock nor network. Receivers' clocks may differ from the sender's by a
/// constant. Not modelled: REMB caps, congestion-window pushback, the loss rules of v1 that act where there is no
/// transport feedback.
package struct GoogleCongestionControl: Sendable {
  /// What the target rests on.
  package enum Reason: String, Sendable {
    case start
    case delay
    case loss
    case probe
    case roundTrip = "round-trip"
    case maximum
  }

  private static let streamTimeout: Int64 = 2_000_000_000
  private static let probeFloor = 0.85
  /// Weight of a new round trip per feedback message; libwebrtc's `CallStats` has 0.3 each second.
  private static let roundTripWeight = 0.02

  private let parameters: GoogleCongestionControlParameters
  private var grouping = InterArrivalGrouping()
  private var detector = TrendlineDetector()
  private var rateControl: AIMDRateControl
  private var acknowledged = AcknowledgedRate()
  private var loss: LossBasedEstimator
  private var probeController = ProbeController()
  private var probeResults = ProbeResults()
  private var applicationLimit = ApplicationLimitedDetector()
  private var backoff = RoundTripBackoff()

  private let minimum: Double
  private var maximum: Double
  /// [kbit/s]
  private var rate: Double
  private var delayLimit = Double.infinity
  private var acknowledgedRate: Double?
  private var firstFeedbackAt: Int64?
  private var lastFeedbackAt: Int64?
  private var backedOffAt = Int64.min / 2
  private var wasApplicationLimited = false
  private var meanRoundTrip: Double?
  private var demand = SenderDemand()
  private var isStarted = false
  /// What the target rests on.
  package private(set) var reason = Reason.start
  /// What to send, and how fast. Stored: to compute it would copy the controller with every look.
  package private(set) var target: PathTarget
  /// Mean round trip from feedback; 200 ms before the first message (libwebrtc's default).
  package private(set) var roundTrip = SimDuration.milliseconds(200)

  package init(
    parameters: GoogleCongestionControlParameters = .init(), constraints: RateConstraints = .init(),
    at now: SimTime
  ) {
    self.parameters = parameters
    let start = Double(parameters.start.bitsPerSecond) / 1000
    minimum = Double(constraints.minimum.bitsPerSecond) / 1000
    maximum =
      parameters.maximum == .unlimited ? .infinity : Double(parameters.maximum.bitsPerSecond) / 1000
    rate = min(start, maximum)
    target = PathTarget(rate: .zero, pacing: .zero, padding: .zero)
    rateControl = AIMDRateControl(start: rate, minimum: minimum)
    loss = LossBasedEstimator(minimum: minimum)
    loss.maximum = maximum
    applicationLimit.setEstimate(rate)
    probeController.setMaximum(maximum, at: now.nanoseconds)
    refreshTarget()
  }

  // MARK: What comes in

  /// A packet has left the pacer; packets come in the order of their numbers.
  package mutating func send(_ packet: SentPacket) {
    applicationLimit.send(packet.size, at: packet.sentAt.nanoseconds)
    backoff.send(at: packet.sentAt.nanoseconds)
  }

  /// What the streams could use has changed.
  package mutating func demand(_ demand: SenderDemand, at now: SimTime) {
    self.demand = demand
    refreshTarget()
    probeController.probesWhenApplicationLimited = demand.probesWhenApplicationLimited
    probeController.applicationLimitedSince = applicationLimit.since
    guard parameters.probes else { return }
    probeController.setMaximumAllocated(
      Double(demand.maximumAllocated.bitsPerSecond) / 1000, at: now.nanoseconds)
  }

  /// A feedback message, its packets in the order of their numbers.
  package mutating func receive(_ results: [PacketResult], at now: SimTime) {
    guard !results.isEmpty else { return }
    let present = now.nanoseconds
    updateRoundTrip(results, at: present)
    let limitedSince = applicationLimit.since
    if wasApplicationLimited, limitedSince == nil { probeController.applicationLimitedEndedAt = present }
    wasApplicationLimited = limitedSince != nil

    var recovered = false
    var before = detector.usage
    if let last = lastFeedbackAt, present - last > Self.streamTimeout {
      grouping = InterArrivalGrouping()
      detector = TrendlineDetector()
      before = .normal
    }
    lastFeedbackAt = present
    firstFeedbackAt = firstFeedbackAt ?? present
    for result in results where result.isReceived {
      let packet = result.packet
      acknowledged.add(
        sentAt: packet.sentAt.nanoseconds, receivedAt: result.receivedAt.nanoseconds, size: packet.size)
      if packet.probeCluster >= 0 { probeResults.add(result) }
      if let deltas = grouping.add(
        sentAt: packet.sentAt.nanoseconds, receivedAt: result.receivedAt.nanoseconds, at: present)
      {
        detector.update(deltas, arrival: Double(result.receivedAt.nanoseconds) / 1e6)
        if before == .underusing, detector.usage == .normal { recovered = true }
        before = detector.usage
      }
    }
    acknowledgedRate = acknowledged.rate
    let probe = boundedProbe(probeResults.take())
    updateDelayLimit(probe: probe, at: present)
    if parameters.usesLoss {
      loss.update(
        results, delayBased: delayLimit < .infinity ? delayLimit : nil, acknowledged: acknowledgedRate,
        isApplicationLimited: limitedSince != nil)
    }
    updateTarget(at: present)
    if recovered, parameters.probes {
      probeController.applicationLimitedSince = applicationLimit.since
      probeController.probeAfterRecovery(at: present)
    }
  }

  /// The periodic work, every 25 ms.
  package mutating func process(at now: SimTime) {
    let present = now.nanoseconds
    if !isStarted {
      isStarted = true
      if parameters.probes { probeController.start(rate, at: present) }
    }
    updateTarget(at: present)
    probeController.applicationLimitedSince = applicationLimit.since
    if parameters.probes { probeController.process(at: present) }
  }

  // MARK: What comes out

  private mutating func refreshTarget() {
    let factor = firstFeedbackAt == nil ? parameters.initialPacingFactor : parameters.pacingFactor
    let least = Double(demand.minimumAllocated.bitsPerSecond) / 1000
    var padding = Double(demand.maximumPadding.bitsPerSecond) / 1000
    if loss.state == .increasingWithPadding { padding = max(padding, rate) }
    target = PathTarget(
      rate: Self.bitRate(rate), pacing: Self.bitRate(max(least, rate) * factor),
      padding: Self.bitRate(min(padding, rate)))
  }

  /// The next cluster to be sent, in order.
  package mutating func takeProbe() -> ProbeCluster? {
    guard let cluster = probeController.takeCluster() else { return nil }
    probeResults.expect(cluster)
    return cluster
  }

  package var isApplicationLimited: Bool { applicationLimit.since != nil }

  private static func bitRate(_ kilobits: Double) -> BitRate {
    BitRate(bitsPerSecond: Int64((kilobits * 1000).rounded()))
  }

  // MARK: Steps

  private mutating func updateRoundTrip(_ results: [PacketResult], at now: Int64) {
    var latest = Int64.min
    for result in results where result.isReceived { latest = max(latest, result.receivedAt.nanoseconds) }
    guard latest > .min else { return }
    var least = Int64.max
    for result in results where result.isReceived {
      // What a packet waited at the receiver for its message is no part of the path.
      let waited = latest - result.receivedAt.nanoseconds
      least = min(least, now - result.packet.sentAt.nanoseconds - waited)
    }
    backoff.update(propagation: least, at: now)
    let seconds = Double(max(least, 0)) / 1e9
    meanRoundTrip = meanRoundTrip.map { $0 + Self.roundTripWeight * (seconds - $0) } ?? seconds
    rateControl.roundTrip = meanRoundTrip ?? seconds
    roundTrip = SimDuration(nanoseconds: Int64(rateControl.roundTrip * 1e9))
  }

  /// A bad probe cuts no deeper than what arrives anyway.
  private func boundedProbe(_ probe: Double?) -> Double? {
    guard let probe, let acknowledgedRate else { return probe }
    return max(probe, min(rateControl.estimate, Self.probeFloor * acknowledgedRate))
  }

  private mutating func updateDelayLimit(probe: Double?, at now: Int64) {
    if detector.usage == .overusing {
      if let acknowledgedRate {
        guard rateControl.mayReduce(acknowledged: acknowledgedRate, at: now) else { return }
        rateControl.update(.overusing, acknowledged: acknowledgedRate, at: now)
      } else {
        guard rateControl.mayHalve(at: now) else { return }
        rateControl.set(rateControl.estimate / 2, at: now)
      }
    } else if let probe {
      rateControl.set(probe, at: now)
      loss.set(probe)
      rate = min(probe, maximum)
      reason = .probe
    } else {
      rateControl.update(detector.usage, acknowledged: acknowledgedRate, at: now)
    }
    delayLimit = rateControl.estimate
  }

  private mutating func updateTarget(at now: Int64) {
    let isAboveLimit = backoff.isAboveLimit(at: now)
    if isAboveLimit {
      if now - backedOffAt >= RoundTripBackoff.interval, rate > RoundTripBackoff.floor {
        backedOffAt = now
        rate = max(rate * RoundTripBackoff.factor, RoundTripBackoff.floor)
        reason = .roundTrip
      }
    } else if firstFeedbackAt != nil {
      if parameters.usesLoss, loss.isReady, let estimate = loss.estimate {
        reason = loss.state == .delayBased ? .delay : .loss
        rate = estimate
      } else if delayLimit < .infinity {
        reason = .delay
        rate = delayLimit
      }
    }
    rate = min(rate, delayLimit)
    if rate >= maximum {
      rate = maximum
      reason = .maximum
    }
    rate = max(rate, minimum)
    applicationLimit.setEstimate(rate)
    refreshTarget()
    guard parameters.probes, isStarted else { return }
    probeController.applicationLimitedSince = applicationLimit.since
    probeController.setEstimate(rate, cause: cause(isAboveLimit), at: now)
  }

  private func cause(_ isAboveLimit: Bool) -> ProbeController.Cause {
    if isAboveLimit { return .roundTripAboveLimit }
    if detector.usage != .normal { return .delayIncreased }
    switch loss.state {
    case .delayBased: return .nothingKnown
    case .increasingWithPadding: return .lossLimitedIncreasing
    case .decreasing: return .lossLimited
    }
  }
}
