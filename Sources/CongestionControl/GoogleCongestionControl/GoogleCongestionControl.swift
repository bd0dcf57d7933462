package import Quantity

/// Send-side Google Congestion Control as in current libwebrtc.
///
/// Computes a ``target``, pacing rate and probes from sent packets (``send(_:)``) and transport-wide feedback
/// (``receive(_:at:)``). It has no clock or network access: the owner calls ``process(at:)`` every
/// ``EstimatorConfiguration/processInterval`` and sends the clusters of ``takeProbe()``. Times of calls never decrease.
///
/// Structure and order follow `goog_cc_network_control.cc`: a delay-based estimate (inter-arrival groups, trendline,
/// AIMD) and a loss-based one, their minimum bounded by application and receiver limits, probes that raise both, and a
/// congestion window that pushes back encoders. Not modelled: route changes, network state estimates and bytes without
/// feedback, all off or absent by default.
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

  // Values last announced to the other components, which are only notified of changes.
  private var announcedTarget: BitRate
  private var announcedState = LossBasedEstimator.State.delayBased
  private var announcedFractionLost = 0
  private var announcedRoundTrip: Int64?

  /// Current bound of the target.
  package private(set) var reason = TargetBound.start
  /// Target rate for media, retransmissions, padding and headers together, pacing rate and padding rate.
  ///
  /// Stored, since a computed property would copy the controller on every access.
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

  /// Latest round trip: from transport feedback, excluding the receiver's feedback delay, else from receiver reports;
  /// initially libwebrtc's 200 ms.
  package var roundTrip: SimDuration {
    measuredRoundTrip ?? reportedRoundTrip ?? parameters.rateControl.defaultRoundTrip
  }

  /// `true` while the sender is application-limited, so that the estimate is not tested.
  package var isApplicationLimited: Bool { limitedRegion.startedAt != nil }

  /// Recent byte loss rate, as computed by the loss-based estimator.
  package var averageLoss: Double { sendSide.loss.averageLoss }

  /// Fraction by which the congestion window reduces encoder targets, 0 to 1.
  package var congestionReduction: Double { congestionWindow.reduction }

  /// Returns the next probe cluster to send, if any.
  package mutating func takeProbe() -> ProbeCluster? { probes.take() }

  /// Reports packets sent by the pacer, in sending order, before any later event or query.
  ///
  /// Only packets covered by transport-wide feedback may be reported: for any other, missing feedback would look like
  /// a broken path after three seconds.
  package mutating func send(_ packets: Span<SentPacket>) {
    guard !packets.isEmpty else { return }
    limitedRegion.send(packets)
    sendSide.send(from: packets[0].sentAt, to: packets[packets.count - 1].sentAt)
    congestionWindow.send(packets, target: announcedTarget, minimum: minimumRate)
  }

  /// Reports a packet sent by the pacer.
  package mutating func send(_ packet: SentPacket) {
    withUnsafePointer(to: packet) { send(UnsafeBufferPointer(start: $0, count: 1).span) }
  }

  /// Processes a transport-wide feedback message: its packets in sending order, lost ones included.
  ///
  /// The receiver's clock may have any constant offset.
  package mutating func receive(_ feedback: [PacketResult], at now: SimTime) {
    guard !feedback.isEmpty else { return }
    if !hasFeedback {
      hasFeedback = true
      refreshTarget()
    }
    let contents = Self.contents(of: feedback)
    let arrivals = contents.isInOrder ? feedback : feedback.sortedArrivals
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
      let bound = TargetBound(delay.rateControl.origin)
      if update.isProbe { sendSide.set(estimate, bound: bound) }
      sendSide.limit(byDelay: estimate, bound: bound)
    }
    sendSide.update(feedback, isApplicationLimited: isLimited, at: now)
    if update.estimate != nil { announce(at: now) }
    if let longest, let last = feedback.last {
      congestionWindow.report(
        upTo: last.packet.sequence, roundTrip: longest, target: announcedTarget, minimum: minimumRate)
    }
    if update.hasRecovered {
      probes.limitedRegionStartedAt = limitedRegion.startedAt
      probes.recover(at: now)
    }
  }

  /// Processes an RTCP receiver report: its round trip paces increases and decreases, and its loss drives the target
  /// while there is no transport feedback.
  ///
  /// - Parameters:
  ///   - lost: packets lost since its last report.
  ///   - packets: packets expected since its last report.
  ///   - roundTrip: round trip measured by this report; zero if unknown.
  package mutating func receive(lost: Int, of packets: Int, roundTrip: SimDuration, at now: SimTime) {
    if roundTrip > .zero {
      reportedRoundTrip = roundTrip
      delay.setRoundTrip(roundTrip)
    }
    sendSide.report(lost: lost, of: packets, roundTrip: roundTrip, at: now)
    announce(at: now)
  }

  /// Sets the receiver's limit (REMB); `nil` lifts it.
  package mutating func limit(to remb: BitRate?, at now: SimTime) {
    sendSide.limit(byReceiver: remb)
    announce(at: now)
  }

  /// Runs the periodic processing.
  package mutating func process(at now: SimTime) {
    sendSide.update(at: now)
    // Without transport feedback, probes yield no result.
    probes.limitedRegionStartedAt = hasFeedback ? limitedRegion.startedAt : nil
    // An untested estimate keeps the limit of its last change, such as a queue that has since drained.
    if demand.probesPeriodically || probes.isBehindTaken { probes.setLimit(probeLimit) }
    probes.process(at: now)
    announce(at: now)
    congestionWindow.process(target: announcedTarget, minimum: minimumRate)
  }

  /// Updates the streams' rate demand.
  package mutating func demand(_ demand: SenderDemand, at now: SimTime) {
    let minimumChanged = demand.minimumAllocated != self.demand.minimumAllocated
    self.demand = demand
    probes.probesInLimitedRegion = demand.probesWhenApplicationLimited
    probes.probesPeriodically = demand.probesPeriodically
    probes.setTaken(demand.taken, isBeyondTarget: demand.isBeyondTarget)
    probes.setMaximumAllocated(demand.maximumAllocated, at: now)
    if minimumChanged {
      delay.setMinimum(minimumRate)
      sendSide.constrain(minimum: minimumRate, maximum: maximumRate)
    }
    refreshTarget()
  }

  /// Sets constraints; a changed start rate restarts the estimates from it.
  package mutating func constrain(_ constraints: RateConstraints, at now: SimTime) {
    let restarts = constraints.start != self.constraints.start
    self.constraints = constraints
    apply(restarting: restarts, at: now)
  }

  private mutating func apply(restarting: Bool, at now: SimTime) {
    let start = maximumRate.confining(max(constraints.start, minimumRate))
    sendSide.constrain(minimum: minimumRate, maximum: maximumRate)
    if restarting {
      sendSide.set(start, bound: .start)
      delay.start(at: start)
    }
    delay.setMinimum(minimumRate)
    probes.constrain(start: restarting ? start : nil, maximum: maximumRate, at: now)
    announce(at: now)
  }

  /// Lower bound of every estimate, including the streams' minimum rates.
  private var minimumRate: BitRate { max(constraints.minimum, .kilobits(5), demand.minimumAllocated) }
  private var maximumRate: RateLimit { max(constraints.maximum, RateLimit(minimumRate)) }
}

extension GoogleCongestionControl: RateController {
  package static let traits = EstimatorTraits(.transportFeedback)

  package mutating func handle(_ input: ControllerInput, at now: SimTime) {
    switch input {
    case .feedback(let feedback): receive(feedback, at: now)
    case .report(let lost, let expected, let roundTrip):
      receive(lost: lost, of: expected, roundTrip: roundTrip, at: now)
    case .process: process(at: now)
    case .demand(let demand): self.demand(demand, at: now)
    case .capacity, .estimate, .command: break
    }
  }

  package func outlook() -> PathOutlook {
    PathOutlook(target: target, congestionReduction: congestionReduction, hasProbes: probes.hasPending)
  }
}

extension GoogleCongestionControl {
  /// Updates the minimum round trip, excluding feedback delay, and returns the maximum one, including it.
  private mutating func measureRoundTrip(_ arrivals: [PacketResult], at now: SimTime) -> SimDuration? {
    guard let final = arrivals.last, let last = final.receivedAt else { return nil }
    var shortest = now - final.packet.sentAt
    var longest = SimDuration.zero
    for result in arrivals {
      guard let receivedAt = result.receivedAt else { continue }
      let whole = now - result.packet.sentAt
      shortest = min(shortest, whole - (last - receivedAt))
      longest = max(longest, whole)
    }
    measuredRoundTrip = shortest
    sendSide.setPropagationRoundTrip(shortest, at: now)
    return longest
  }

  private mutating func probeResult(_ arrivals: [PacketResult], acknowledged: BitRate?) -> BitRate? {
    guard let result = probeResults.result(of: arrivals, from: probes) else { return nil }
    guard let acknowledged else { return result }
    // A result far below the throughput is an invalid probe, but must not raise the estimate.
    return max(result, min(delay.estimate, acknowledged.scaled(by: parameters.minimumProbeShare)))
  }

  /// Announces a changed target to pacer, prober and ALR detector.
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
    if announcedState == .increasingWithPadding {
      padding = max(padding, demand.maximumLossPadding.confining(announcedTarget))
    }
    let pacing = max(demand.minimumAllocated, announcedTarget).scaled(by: factor)
    target = PathTarget(
      rate: announcedTarget, pacing: RateLimit(pacing), padding: min(padding, announcedTarget))
  }

  private var probeLimit: ProbeController.Limit {
    if delay.usage != .normal { return .delayIncreased }
    if sendSide.backoff.isAboveLimit { return .roundTrip }
    switch sendSide.lossState {
    case .decreasing, .increasingWithPadding: return .loss
    case .increasing: return .lossIncreasing
    case .delayBased: return .delay
    }
  }
}
