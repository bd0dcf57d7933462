package import Quantity

/// Google Congestion Control at the sender, as libwebrtc runs it today.
///
/// From what left (``send(_:)``) and what transport-wide feedback tells of it (``receive(_:at:)``) to a ``target``, a
/// pacing rate and probes. It knows no clock and no network: whoever owns them calls ``process(at:)`` every
/// ``EstimatorConfiguration/processInterval`` and sends what ``takeProbe()`` asks for. Times of calls do not
/// fall.
///
/// The parts and their order are those of `goog_cc_network_control.cc`: a delay-based estimate (inter-arrival groups,
/// trendline, AIMD), a loss-based one beside it, the lesser of the two under the limits of application and receiver,
/// probes that raise both at once, and a congestion window that holds encoders back. Not modelled: route changes,
/// network state estimates and bytes without feedback, all of which are off or absent by default.
package struct GoogleCongestionControl: ~Copyable, Sendable {
  private var parameters: GoogleCongestionControlParameters
  private var constraints: RateConstraints
  private var demand = SenderDemand()
  private var delay: DelayBasedEstimator
  private var sendSide: SendSideEstimator
  private var throughput: ThroughputEstimator
  private var probes: ProbeController
  private var probeResults = ProbeResultEstimator()
  private var congestionWindow: CongestionWindow
  private var limitedRegion: ApplicationLimitedRegion
  private var wasApplicationLimited = false
  private var hasFeedback = false
  private var measuredRoundTrip: SimDuration?
  private var reportedRoundTrip: SimDuration?

  // What the outside was told last: parts learn of changes, not of repetitions.
  private var announcedTarget: BitRate
  private var announcedState = LossBasedEstimator.State.delayBased
  private var announcedFractionLost = 0
  private var announcedRoundTrip: Int64?

  /// What bounds the target now.
  package private(set) var reason = TargetBound.start
  /// The rate for media, repairs, padding and headers together; what the pacer lets out; and up to what it pads.
  ///
  /// Stored: to compute it would copy the controller with every look.
  package private(set) var target = PathTarget(rate: .zero, pacing: .zero, padding: .zero)

  package init(parameters: GoogleCongestionControlParameters = .init(), at now: SimTime) {
    self.parameters = parameters
    constraints = parameters.constraints
    delay = DelayBasedEstimator(
      grouping: parameters.interArrival, trend: parameters.trendline, rateControl: parameters.rateControl)
    sendSide = SendSideEstimator(
      parameters: parameters.lossReports, loss: parameters.loss, backoff: parameters.roundTrip)
    throughput = ThroughputEstimator(parameters: parameters.throughput)
    probes = ProbeController(parameters: parameters.probing, at: now)
    limitedRegion = ApplicationLimitedRegion(parameters: parameters.limitedRegion)
    announcedTarget = parameters.constraints.start
    congestionWindow = CongestionWindow(parameters: parameters.congestionWindow)
    apply(restarting: true, at: now)
  }

  /// The last round trip: without the receiver's waiting from transport feedback, else by receiver reports; libwebrtc's
  /// 200 ms before the first.
  package var roundTrip: SimDuration {
    measuredRoundTrip ?? reportedRoundTrip ?? parameters.rateControl.defaultRoundTrip
  }

  /// Whether the sender sends so little that the estimate can't be put to the test.
  package var isApplicationLimited: Bool { limitedRegion.startedAt != nil }

  /// Share of the bytes lost lately, as the loss-based estimate counts it.
  package var averageLoss: Double { sendSide.loss.averageLoss }

  /// By how much less than the target encoders are to make because too much is under way, 0 to 1.
  package var congestionReduction: Double { congestionWindow.reduction }

  /// The next burst to send above the target, if one is wanted.
  package mutating func takeProbe() -> ProbeCluster? { probes.take() }

  /// Takes packets that left the pacer one after another; calls are in the order of leaving, and it is enough that they
  /// come before anything else is told or asked.
  ///
  /// Only packets that transport-wide feedback will report: the lack of a report on any other would look like a
  /// broken path after three seconds.
  package mutating func send(_ packets: Span<SentPacket>) {
    guard !packets.isEmpty else { return }
    limitedRegion.send(packets)
    sendSide.send(from: packets[0].sentAt, to: packets[packets.count - 1].sentAt)
    congestionWindow.send(packets, target: announcedTarget, minimum: leastRate)
  }

  /// Takes a packet that left the pacer.
  package mutating func send(_ packet: SentPacket) {
    withUnsafePointer(to: packet) { send(UnsafeBufferPointer(start: $0, count: 1).span) }
  }

  /// Takes one transport-wide feedback message: its packets in the order of sending, lost ones included.
  ///
  /// The receiver's clock may differ from ours by any constant.
  package mutating func receive(_ feedback: [PacketResult], at now: SimTime) {
    guard !feedback.isEmpty else { return }
    if !hasFeedback {
      hasFeedback = true
      refreshTarget()
    }
    let contents = Self.contents(of: feedback)
    let arrivals = contents.isInOrder ? feedback : Self.sortedArrivals(of: feedback)
    let longest = measureRoundTrip(arrivals, at: now)

    let isLimited = limitedRegion.startedAt != nil
    if wasApplicationLimited, !isLimited { probes.endLimitedRegion(at: now) }
    wasApplicationLimited = isLimited

    throughput.add(arrivals)
    let acknowledged = throughput.rate
    sendSide.setThroughput(acknowledged)
    let probe = contents.hasProbes ? probeResult(arrivals, acknowledged: acknowledged) : nil
    let update = delay.update(arrivals, throughput: acknowledged, probe: probe, at: now)
    if let estimate = update.estimate {
      let bound = bound(of: delay.rateControl.origin)
      if update.isProbe { sendSide.set(estimate, bound: bound) }
      sendSide.limit(byDelay: estimate, bound: bound)
    }
    sendSide.update(feedback, isApplicationLimited: isLimited, at: now)
    if update.estimate != nil { announce(at: now) }
    if let longest, let last = feedback.last {
      congestionWindow.report(
        upTo: last.packet.sequence, roundTrip: longest, target: announcedTarget, minimum: leastRate)
    }
    if update.hasRecovered {
      probes.limitedRegionStartedAt = limitedRegion.startedAt
      probes.recover(at: now)
    }
  }

  /// Takes an RTCP receiver report: its round trip is the one that growth and decreases go by, and the target follows
  /// its losses as long as there is no transport feedback.
  ///
  /// - Parameters:
  ///   - lost: how many packets the receiver missed...
  ///   - packets: ... of as many since its last report.
  ///   - roundTrip: by this report; zero for unknown.
  package mutating func receive(lost: Int, of packets: Int, roundTrip: SimDuration, at now: SimTime) {
    if roundTrip > .zero {
      reportedRoundTrip = roundTrip
      delay.setRoundTrip(roundTrip)
    }
    sendSide.report(lost: lost, of: packets, roundTrip: roundTrip, at: now)
    announce(at: now)
  }

  /// Takes the receiver's limit (REMB); nil lifts it.
  package mutating func limit(to remb: BitRate?, at now: SimTime) {
    sendSide.limit(byReceiver: remb)
    announce(at: now)
  }

  /// Does what is due with time alone.
  package mutating func process(at now: SimTime) {
    sendSide.update(at: now)
    // Without transport feedback no result of a probe would come.
    probes.limitedRegionStartedAt = hasFeedback ? limitedRegion.startedAt : nil
    probes.process(at: now)
    announce(at: now)
    congestionWindow.process(target: announcedTarget, minimum: leastRate)
  }

  /// Takes what the streams could use.
  package mutating func demand(_ demand: SenderDemand, at now: SimTime) {
    let minimumChanged = demand.minimumAllocated != self.demand.minimumAllocated
    self.demand = demand
    probes.probesInLimitedRegion = demand.probesWhenApplicationLimited
    probes.setMaximumAllocated(demand.maximumAllocated, at: now)
    if minimumChanged {
      delay.limit(below: leastRate)
      sendSide.constrain(minimum: leastRate, maximum: greatestRate)
    }
    refreshTarget()
  }

  /// Takes new constraints; a start rate that differs from the last one makes the estimates begin there anew.
  package mutating func constrain(_ constraints: RateConstraints, at now: SimTime) {
    let restarts = constraints.start != self.constraints.start
    self.constraints = constraints
    apply(restarting: restarts, at: now)
  }

  private mutating func apply(restarting: Bool, at now: SimTime) {
    let start = min(max(constraints.start, leastRate), greatestRate)
    sendSide.constrain(minimum: leastRate, maximum: greatestRate)
    if restarting {
      sendSide.set(start, bound: .start)
      delay.start(at: start)
    }
    delay.limit(below: leastRate)
    probes.constrain(start: restarting ? start : nil, maximum: greatestRate, at: now)
    announce(at: now)
  }

  /// The streams' least rates bound every estimate from below.
  private var leastRate: BitRate { max(constraints.minimum, .kilobits(5), demand.minimumAllocated) }
  private var greatestRate: BitRate { max(constraints.maximum, leastRate) }
}

extension GoogleCongestionControl: RateController {
  package static var usesFeedback: Bool { true }

  package func outlook() -> PathOutlook {
    PathOutlook(target: target, congestionReduction: congestionReduction)
  }
}

extension GoogleCongestionControl {
  /// Takes the least round trip, without the receiver's waiting; gives the longest one with it.
  private mutating func measureRoundTrip(_ arrivals: [PacketResult], at now: SimTime) -> SimDuration? {
    guard let last = arrivals.last else { return nil }
    var least = SimDuration(nanoseconds: .max)
    var longest = SimDuration.zero
    for result in arrivals {
      let waiting = last.receivedAt - result.receivedAt
      let whole = now - result.packet.sentAt
      least = min(least, whole - waiting)
      longest = max(longest, whole)
    }
    measuredRoundTrip = least
    sendSide.setPropagationRoundTrip(least, at: now)
    return longest
  }

  private mutating func probeResult(_ arrivals: [PacketResult], acknowledged: BitRate?) -> BitRate? {
    for result in arrivals where result.packet.probeCluster >= 0 {
      if let cluster = probes.cluster(result.packet.probeCluster) { probeResults.add(result, of: cluster) }
    }
    guard let result = probeResults.takeResult() else { return nil }
    guard let acknowledged else { return result }
    // A result far below what arrives is a bad probe; but it never raises the estimate.
    return max(result, min(delay.estimate, acknowledged.scaled(by: parameters.leastProbeShare)))
  }

  private func bound(of origin: AIMDRateControl.Origin) -> TargetBound {
    switch origin {
    case .start: .start
    case .delay: .delay
    case .acknowledged: .acknowledged
    case .probe: .probe
    }
  }

  /// Tells pacer, prober and detector of a target that changed.
  private mutating func announce(at now: SimTime) {
    let target = sendSide.target
    reason = sendSide.bound
    let roundTrip = reportedRoundTrip.map { $0.nanoseconds / 1_000_000 } ?? -1
    guard
      target != announcedTarget || sendSide.lossState != announcedState
        || sendSide.fractionLost != announcedFractionLost || roundTrip != announcedRoundTrip
    else { return }
    announcedTarget = target
    announcedState = sendSide.lossState
    announcedFractionLost = sendSide.fractionLost
    announcedRoundTrip = roundTrip
    refreshTarget()
    limitedRegion.setTarget(target)
    probes.setEstimate(target, limit: probeLimit, at: now)
  }

  private mutating func refreshTarget() {
    let factor = hasFeedback ? parameters.pacingFactor : parameters.pacingFactorWithoutFeedback
    var padding = demand.maximumPadding
    if announcedState == .increasingWithPadding { padding = max(padding, announcedTarget) }
    target = PathTarget(
      rate: announcedTarget, pacing: max(demand.minimumAllocated, announcedTarget).scaled(by: factor),
      padding: min(padding, announcedTarget))
  }

  private var probeLimit: ProbeController.Limit {
    if delay.use != .normal { return .delayIncreased }
    if sendSide.backoff.isAboveLimit { return .roundTrip }
    switch sendSide.lossState {
    case .decreasing, .increasingWithPadding: return .loss
    case .increasing: return .lossIncreasing
    case .delayBased: return .delay
    }
  }
}
