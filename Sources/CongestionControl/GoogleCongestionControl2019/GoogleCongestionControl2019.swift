package import Quantity

/// Send-side Google Congestion Control as in libwebrtc of 2019, which servers that adopted it then still run.
///
/// It has the parts of ``GoogleCongestionControl``, with these differences: losses in feedback count by the rule of
/// loss reports, once per second, instead of a model; the acknowledged rate is a Bayesian mean of 150 ms windows; times
/// are whole milliseconds and sizes those of RTP packets; the round trip includes the receiver's feedback delay;
/// overuse while the application limits the rate lowers the estimate by 15 % and is then probed; a probe's result holds
/// even if it is lower; and probes go out in any state of the path. There is no congestion window and no backoff at long
/// round trips.
///
/// Source: `modules/congestion_controller/goog_cc` in the mediasoup worker 3.19.3, with its field trial
/// WebRTC-Bwe-AlrLimitedBackoff and its change that silence counts as a limit of the application.
package struct GoogleCongestionControl2019: ~Copyable, Sendable {
  // Never changed, but Swift 6.2 treats the calls in the initializer as changes of a constant.
  private var parameters: GoogleCongestionControl2019Parameters
  private var constraints: RateConstraints
  private var demand = SenderDemand()
  private var delay: DelayBasedEstimator
  private var sendSide: SendSideEstimator
  private var throughput = BayesianThroughput()
  private var losses = FeedbackLosses()
  private var probes: ProbeController
  private var probeResults = ProbeResultEstimator()
  private var limitedRegion: ApplicationLimitedRegion
  private var wasApplicationLimited = false
  /// Longest round trips of the last feedback messages.
  private var roundTrips = RingBuffer<SimDuration>()
  /// Last delay-based estimate, from which overuse in an application-limited region decreases.
  private var delayBased: BitRate?
  /// Packets of a feedback message as seen by this version, kept for the capacity of the array.
  private var results: [PacketResult] = []
  /// Set once initial probing has begun.
  private var hasBegun = false
  /// Set once a server has set the constraints.
  private var isCommanded = false

  // Values last announced to the other components, which are only notified of changes.
  private var announcedTarget: BitRate
  private var announcedFractionLost = 0
  private var announcedRoundTrip: SimDuration?
  /// Shortest round trip of the last feedback message.
  private var roundTrip: SimDuration?
  package private(set) var target = PathTarget(rate: .zero, pacing: .zero, padding: .zero)

  package init(parameters: GoogleCongestionControl2019Parameters = .init(), at now: SimTime) {
    self.parameters = parameters
    constraints = parameters.constraints
    delay = DelayBasedEstimator(
      grouping: parameters.interArrival, trend: parameters.trendline, rateControl: parameters.rateControl)
    sendSide = SendSideEstimator(parameters: parameters.lossReports)
    probes = ProbeController(parameters: parameters.probing, at: now)
    probes.probesInLimitedRegion = true
    limitedRegion = ApplicationLimitedRegion(parameters: parameters.limitedRegion)
    announcedTarget = parameters.constraints.start
    restart(bound: .start)
    announcedTarget = sendSide.target
    limitedRegion.setTarget(announcedTarget)
    refreshTarget()
  }

  /// Lower bound of the estimate, including the streams' minimum rates.
  private var minimumRate: BitRate { max(constraints.minimum, .kilobits(5), demand.minimumAllocated) }
  private var maximumRate: RateLimit { max(constraints.maximum, RateLimit(minimumRate)) }

  // MARK: Constraints

  /// Sets a server's bounds: the estimates restart from the announced target.
  ///
  /// The probes that a raised maximum would cause are lost, because the controller's answer is not used; and so is the
  /// new target until it changes again (`rtp_transport_controller_send.cc`, SetClientBitratePreferences).
  private mutating func bound(minimum: BitRate, maximum: RateLimit, at now: SimTime) {
    isCommanded = true
    if let maximum = maximum.rate, hasBegun { probes.setMaximumAllocated(maximum, at: now) }
    constraints.start = target.rate
    constraints.minimum = minimum
    constraints.maximum = maximum
    restart(bound: sendSide.bound)
    begin(at: now)
    probes.constrain(start: max(constraints.start, minimumRate), maximum: maximumRate, at: now)
    if sendSide.target != announcedTarget { inform(at: now) }
  }

  private mutating func restart(bound: TargetBound) {
    let start = max(constraints.start, minimumRate)
    sendSide.constrain(minimum: minimumRate, maximum: maximumRate)
    sendSide.set(maximumRate.confining(start), bound: bound)
    delay.start(at: start)
    delay.setMinimum(minimumRate)
  }

  /// Begins initial probing, once, regardless of the maximum.
  private mutating func begin(at now: SimTime) {
    guard !hasBegun else { return }
    hasBegun = true
    let maximum = isCommanded ? RateLimit.unlimited : maximumRate
    probes.constrain(start: max(constraints.start, minimumRate), maximum: maximum, at: now)
  }

  // MARK: Announcements

  /// Announces a changed target.
  private mutating func announce(at now: SimTime) {
    guard
      sendSide.target != announcedTarget || sendSide.fractionLost != announcedFractionLost
        || roundTrip != announcedRoundTrip
    else { return }
    inform(at: now)
    refreshTarget()
  }

  /// Informs prober and ALR detector of the target.
  private mutating func inform(at now: SimTime) {
    announcedTarget = sendSide.target
    announcedFractionLost = sendSide.fractionLost
    announcedRoundTrip = roundTrip
    limitedRegion.setTarget(announcedTarget)
    probes.setEstimate(announcedTarget, limit: .delay, at: now)
  }

  private mutating func refreshTarget() {
    let pacing = max(demand.minimumAllocated, announcedTarget).scaled(by: parameters.pacingFactor)
    target = PathTarget(
      rate: announcedTarget, pacing: RateLimit(pacing), padding: min(demand.maximumPadding, announcedTarget))
  }

  // MARK: Feedback

  /// Updates the round trips: the shortest one without feedback delay, and the mean of the longest ones with it.
  private mutating func measureRoundTrip(at now: SimTime) {
    guard let final = results.last, let last = final.receivedAt else { return }
    var shortest = now - final.packet.sentAt
    var longest = SimDuration.zero
    for result in results {
      guard let receivedAt = result.receivedAt else { continue }
      let whole = now - result.packet.sentAt
      shortest = min(shortest, whole - (last - receivedAt))
      longest = max(longest, whole)
    }
    roundTrip = shortest
    roundTrips.append(longest)
    if roundTrips.count > parameters.roundTrips { roundTrips.removeFirst() }
    var sum = SimDuration.zero
    roundTrips.forEach { sum += $0 }
    delay.setRoundTrip(SimDuration(nanoseconds: sum.nanoseconds / Int64(roundTrips.count)))
  }

  /// Returns a result as seen by this version: whole milliseconds, and the size of the RTP packet.
  private func seen(_ result: PacketResult) -> PacketResult {
    var packet = result.packet
    packet.size = max(1, packet.size - parameters.aroundRTP)
    packet.sentAt = packet.sentAt.inWholeMilliseconds
    return PacketResult(packet: packet, receivedAt: result.receivedAt?.inWholeMilliseconds)
  }
}

extension GoogleCongestionControl2019: RateController {
  package static let traits = EstimatorTraits(.transportFeedback)

  package mutating func handle(_ input: ControllerInput, at now: SimTime) {
    switch input {
    case .feedback(let feedback): receive(feedback, at: now)
    case .process: process(at: now)
    case .demand(let demand): self.demand(demand, at: now)
    case .command(.bound(let minimum, let maximum)): bound(minimum: minimum, maximum: maximum, at: now)
    case .report, .capacity, .estimate, .command: break
    }
  }

  package mutating func send(_ packets: Span<SentPacket>) {
    guard !packets.isEmpty else { return }
    begin(at: packets[0].sentAt)
    for index in packets.indices {
      limitedRegion.send(
        size: max(1, packets[index].size - parameters.aroundRTP), at: packets[index].sentAt)
    }
  }

  package mutating func receive(_ feedback: [PacketResult], at now: SimTime) {
    let arrivals = feedback.sortedArrivals
    guard !arrivals.isEmpty else { return }
    results.removeAll(keepingCapacity: true)
    for result in arrivals { results.append(seen(result)) }
    measureRoundTrip(at: now)
    if let report = losses.add(feedback, at: now) {
      sendSide.report(lost: report.lost, of: report.expected, roundTrip: roundTrip ?? .zero, at: now)
    }

    let isLimited = limitedRegion.startedAt != nil
    if wasApplicationLimited, !isLimited {
      probes.endLimitedRegion(at: now)
      throughput.endLimitedRegion(at: now)
    }
    wasApplicationLimited = isLimited

    for result in results {
      guard let receivedAt = result.receivedAt else { continue }
      throughput.add(
        bytes: Int64(result.packet.size), sentAt: result.packet.sentAt, receivedAt: receivedAt)
    }
    let update = delay.update(
      results, throughput: throughput.rate, probe: probeResults.result(of: results, from: probes),
      limitedRate: isLimited ? delayBased : nil, at: now)
    if let estimate = update.estimate {
      delayBased = estimate
      let bound = TargetBound(delay.rateControl.origin)
      if update.isProbe { sendSide.set(estimate, bound: bound) }
      sendSide.limit(byDelay: estimate, bound: bound)
      sendSide.update(at: now)
      announce(at: now)
    }
    if update.hasRecovered {
      probes.limitedRegionStartedAt = limitedRegion.startedAt
      probes.recover(at: now)
    }
  }

  package mutating func process(at now: SimTime) {
    sendSide.update(at: now)
    limitedRegion.process(at: now)
    probes.limitedRegionStartedAt = limitedRegion.startedAt
    probes.process(at: now)
    announce(at: now)
  }

  package mutating func demand(_ demand: SenderDemand, at now: SimTime) {
    let minimumChanged = demand.minimumAllocated != self.demand.minimumAllocated
    self.demand = demand
    if minimumChanged {
      delay.setMinimum(minimumRate)
      sendSide.constrain(minimum: minimumRate, maximum: maximumRate)
    }
    if !isCommanded { probes.setMaximumAllocated(demand.maximumAllocated, at: now) }
    refreshTarget()
  }

  package mutating func takeProbe() -> ProbeCluster? { probes.take() }

  package func outlook() -> PathOutlook { PathOutlook(target: target, hasProbes: probes.hasPending) }
}
