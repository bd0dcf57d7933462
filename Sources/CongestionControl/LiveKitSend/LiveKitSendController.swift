package import Quantity

/// LiveKit's own send-side estimator: detects congestion by queuing delay and loss of packet groups, and measures the
/// capacity where the state changes (`pkg/sfu/bwe/sendsidebwe`, version 1.13.5).
///
/// Its target follows the link only in congestion: an allocator reduces to it while ``congestion`` calls for it, and
/// otherwise finds out by probes whether a path carries more. There is no pacing, and no padding of its own.
package struct LiveKitSendController: Sendable {
  private let parameters: LiveKitSendParameters
  private var packets: ReportedPackets
  private var groups: PacketGroups
  private var carried: CarriedRatio?
  private var probe: ProbeGroup?
  private var regulator: ProbeRegulator
  private var roundTrip: SimDuration
  private var roundTripReadAt: SimTime?
  package private(set) var congestion = PathCongestion.none
  /// Estimated capacity of the path: RTP packets with their headers.
  package private(set) var capacity: BitRate

  private mutating func run() {
    let warning = parameters.earlyWarning
    switch congestion {
    case .none: enter(.earlyWarning, ifBad: warning)
    case .earlyWarning:
      enter(.congested, ifBad: parameters.congested)
      if congestion == .earlyWarning { leave(ifGood: warning) }
    case .congested: leave(ifGood: parameters.congested)
    }
  }

  private mutating func enter(_ next: PathCongestion, ifBad signal: LiveKitSignal) {
    let delay = groups.delayRegion(signal)
    let region = delay.verdict == .bad ? delay : groups.lossRegion(signal)
    guard region.verdict == .bad else { return }
    congestion = next
    carried = next == .congested ? CarriedRatio(parameters: parameters) : nil
    measure(groups.traffic(of: region.groups))
  }

  private mutating func leave(ifGood signal: LiveKitSignal) {
    guard groups.delayRegion(signal).verdict == .good, groups.lossRegion(signal).verdict == .good else {
      return
    }
    congestion = .none
    carried = nil
    measure(groups.traffic(beyond: parameters.window))
  }

  /// Sets the capacity to the rate that some groups carried; a probe measures it on its own.
  private mutating func measure(_ traffic: TrafficStatistics?) {
    guard probe == nil, let rate = traffic?.acknowledgedRate(parameters.loss) else { return }
    capacity = rate
  }

  private var settling: SimDuration {
    (roundTrip * parameters.settlingRoundTrips).clamped(
      parameters.shortestSettling, parameters.longestSettling)
  }

  private mutating func conclude(_ probe: ProbeGroup) -> ProbeVerdict {
    guard congestion == .none else { return .congesting }
    let loss = probe.traffic.weightedLoss(parameters.loss)
    if probe.queuing > parameters.badDelay || loss > parameters.badLoss { return .congesting }
    guard probe.queuing < parameters.goodDelay, loss < parameters.goodLoss else { return .inconclusive }
    capacity = max(capacity, probe.traffic.acknowledgedRate(parameters.loss) ?? .zero)
    return .notCongesting
  }
}

extension LiveKitSendController: RateController {
  package static let traits = EstimatorTraits(.transportFeedback, isAllocatorDriven: true)

  package init(parameters: LiveKitSendParameters, at now: SimTime) {
    self.parameters = parameters
    packets = ReportedPackets(history: parameters.history, header: parameters.header)
    groups = PacketGroups(parameters: parameters)
    regulator = ProbeRegulator(parameters: parameters.regulator, at: now)
    roundTrip = parameters.roundTrip
    capacity = parameters.start
  }

  package mutating func send(_ packets: Span<SentPacket>) {
    for index in packets.indices {
      self.packets.send(packets[index])
      probe?.send(packets[index])
    }
  }

  package mutating func handle(_ input: ControllerInput, at now: SimTime) {
    switch input {
    case .feedback(let feedback): receive(feedback, at: now)
    case .report(let lost, let expected, let roundTrip):
      receive(lost: lost, of: expected, roundTrip: roundTrip, at: now)
    case .command(let command): carryOut(command, at: now)
    case .process, .demand, .capacity, .estimate: break
    }
  }

  package mutating func receive(_ feedback: [PacketResult], at now: SimTime) {
    for result in feedback {
      guard let packet = packets.report(result) else { continue }
      // The capacity only falls here, and is itself the notification.
      if let rate = carried?.add(packet, at: now) { capacity = min(capacity, rate) }
      probe?.add(packet, of: result.packet.probeCluster)
      groups.add(packet)
    }
    groups.removeAll(before: now - parameters.groupAge)
    run()
  }

  package mutating func receive(lost: Int, of packets: Int, roundTrip: SimDuration, at now: SimTime) {
    guard roundTrip > .zero,
      roundTripReadAt.map({ now - $0 > parameters.roundTripInterval }) ?? true
    else { return }
    roundTripReadAt = now
    let weight = parameters.roundTripWeight
    let mean = weight * roundTrip.seconds + (1 - weight) * self.roundTrip.seconds
    self.roundTrip = SimDuration(rounding: mean * 1e9)
  }

  /// Returns the capacity as the target, without pacing or padding.
  package func outlook() -> PathOutlook {
    PathOutlook(
      target: PathTarget(rate: capacity, pacing: .unlimited, padding: .zero), congestion: congestion)
  }

  package mutating func takeSenderState(at now: SimTime) -> SenderState? {
    let verdict = takeProbeVerdict(at: now)
    return SenderState(
      mayProbe: congestion == .none && probe == nil && regulator.mayProbe(at: now),
      probeDuration: regulator.duration, capacity: capacity, verdict: verdict)
  }

  private mutating func carryOut(_ command: SenderCommand, at now: SimTime) {
    switch command {
    case .beginProbe(let cluster):
      probe = ProbeGroup(cluster: cluster, bounds: parameters.probeGroup)
      regulator.begin(at: now)
    case .endProbe: probe?.end(at: now)
    case .reset: reset(at: now)
    case .bound: break
    }
  }

  private mutating func takeProbeVerdict(at now: SimTime) -> ProbeVerdict? {
    guard let probe,
      probe.isSettled(lastReported: packets.lastReported, settling: settling, at: now)
    else { return nil }
    let verdict = conclude(probe)
    self.probe = nil
    regulator.end(verdict)
    return verdict
  }

  private mutating func reset(at now: SimTime) {
    groups.removeAll()
    carried = nil
    probe = nil
    congestion = .none
    capacity = parameters.start
    regulator = ProbeRegulator(parameters: parameters.regulator, at: now)
    roundTrip = parameters.roundTrip
  }
}
