package import Allocation
package import CongestionControl
import Media
package import Network
package import Plan
package import Quantity
package import SimulationKernel
package import Systems
import Transport

/// Both ends of every path: everything between the media and the links, and the reports on arrivals.
public struct Endpoints: ~Copyable {
  /// How the ends of each direction work.
  public let rules: EndpointRules
  /// Set if packets are numbered for their receivers even without feedback, to reveal missing ones.
  @usableFromInline var countsLosses = false
  package var paths: Table<PathState>
  /// Video packets that left a pacer in its last event.
  package var departed: [Packet] = []
  package var controllers: RateControllers
  /// States of the receivers that estimate, by participant.
  package var receivers: [ReceiverState]
  /// Peer-to-peer connections.
  package internal(set) var peers: Peers

  package init(_ plan: MeetingPlan, seed: RunSeed) {
    let controllers = RateControllers(plan)
    let probation = PacerParameters.Probation(plan.system.traits.forwarding.sending)
    var paths = Table<PathState>()
    for path in 0..<2 * plan.connectionCount {
      let (round, participant) = Path.participant(of: path).quotientAndRemainder(
        dividingBy: plan.participants.count)
      let name =
        plan.participants[participant].id + (round > 0 ? "/peer" : "") + (Path.isUp(path) ? "/up" : "/down")
      var parameters = PacerParameters()
      if !Path.isUp(path) {
        parameters.padsBeforeMedia = true
        parameters.probation = probation
      }
      let isPaced = controllers.input(of: path) == .transportFeedback
      let rate = isPaced ? controllers.target(path).pacing.rate ?? .zero : .zero
      paths.append(
        PathState(
          pacer: Pacer(parameters: parameters, rate: rate),
          reportTimes: seed.stream("rtcp/\(name)"), feedbackPhases: seed.stream("feedback/\(name)")))
    }
    rules = EndpointRules(plan, up: controllers.up.traits, down: controllers.down.traits)
    receivers =
      plan.downEstimator.receiver.map { receiver in plan.participants.map { _ in ReceiverState(receiver) } }
      ?? []
    peers = Peers(participants: plan.participants.count)
    self.controllers = controllers
    self.paths = paths
  }

  deinit {
    for path in 0..<paths.count { paths[path].deallocate() }
  }

  /// Returns the state of a path's estimator for the allocator that drives it; `nil` where none does.
  package mutating func takeSenderState(of path: Int, at now: SimTime) -> SenderState? {
    rules.isAllocatorDriven(path) ? controllers.takeSenderState(of: path, at: now) : nil
  }

  /// Executes an allocator's command; packets sent during a probe belong to it.
  package mutating func carryOut(_ command: SenderCommand, on path: Int, kernel: inout Kernel) {
    controllers.carryOut(command, on: path, at: kernel.now)
    switch command {
    case .beginProbe(let cluster): paths[path].allocatorProbe = cluster
    case .endProbe, .reset: paths[path].allocatorProbe = -1
    case .bound: followController(path, kernel: &kernel)
    }
  }

  package func observesCapacity(of path: Int) -> Bool { controllers.input(of: path) == .capacity }

  /// Returns the share of RTP headers on a path relative to payload.
  package func headerShare(of path: Int) -> Double { controllers.headerShare(of: path) }

  /// Opens both paths of a participant as new connections.
  package mutating func open(_ participant: Int, at now: SimTime) {
    peers.close(participant)
    for path in [Path.up(participant), Path.down(participant)] { openPath(path, at: now) }
    if rules.receiversEstimate { receivers[participant].restart() }
  }

  /// Opens a path of a new connection.
  mutating func openPath(_ path: Int, at now: SimTime) {
    controllers.restart(path, at: now)
    paths[path].open(next: nextNumber(on: path), arrived: arrivalCounts(on: path).arrivals)
  }

  package mutating func close(_ participant: Int) {
    paths[Path.up(participant)].isOpen = false
    paths[Path.down(participant)].isOpen = false
  }

  // MARK: Rates

  /// Returns the current estimate of a path, headers and voices included.
  package func estimate(_ path: Int) -> BitRate { controllers.estimate(path) }

  /// Returns the budget for video on a path after voices, headers and repairs.
  package mutating func videoBudget(of path: Int, voices: BitRate, at now: SimTime) -> VideoBudget {
    var budget = controllers.videoBudget(path, voices: voices)
    // Without this, an estimator that knows the capacity would fill a link with repairs of packets that those repairs
    // displace.
    if let available = budget.available.rate {
      budget.repairs = repairRate(on: path, within: available, at: now)
    }
    return budget
  }

  /// Returns the part of a payload rate that repairs and protection take, at most half.
  package mutating func repairRate(on path: Int, within payload: BitRate, at now: SimTime) -> BitRate {
    let repairs = paths[path].repairs.rate(within: payload, at: now)
    return min(repairs + paths[path].protection.rate(within: payload, at: now), payload.scaled(by: 0.5))
  }

  /// Counts a packet of forward error correction against the path's payload.
  package mutating func noteProtection(bytes: Int, on path: Int, at now: SimTime) {
    paths[path].protection.note(Int64(bytes), at: now)
  }

  /// Returns the round trip of the last receiver report; `nil` before the first.
  package func reportedRoundTrip(on path: Int) -> SimDuration? { paths[path].reports.roundTrip }

  /// Returns the loss that a path's sender last learned [1/256], at most 255.
  package func recentLoss(on path: Int) -> UInt8 { UInt8(clamping: paths[path].reports.recentLoss.fraction) }

  /// Informs a controller of the rate that its sender could use.
  package mutating func setDemand(_ demand: SenderDemand, on path: Int, at now: SimTime) {
    controllers.demand(demand, on: path, at: now)
  }

  /// Meters a path's congestion from now on.
  package mutating func watch(_ path: Int) {
    controllers.watch(path)
    countsLosses = !rules.usesFeedback(on: path)
  }

  /// Returns the fraction of a path's packets that its receiver missed over about the last second, by their numbers on
  /// this path.
  package mutating func lossShare(on path: Int, at now: SimTime) -> Double {
    let (newest, arrivals) = arrivalCounts(on: path)
    return paths[path].losses.update(newest: newest, arrivals: arrivals, at: now)
  }

  /// Returns the number of the last packet that arrived at the end of a path, and the count of arrivals.
  func arrivalCounts(on path: Int) -> (newest: UInt16, arrivals: Int) {
    rules.usesFeedback(on: path)
      ? (paths[path].arrivals.newest, paths[path].arrivals.total)
      : (paths[path].unreported.newest, paths[path].unreported.arrivals)
  }

  /// Returns the number that the next packet on a path carries for its receiver.
  private func nextNumber(on path: Int) -> UInt16 {
    if rules.usesFeedback(on: path) { return UInt16(truncatingIfNeeded: controllers.sentPackets(path)) }
    return rules.receivesEstimates(on: path)
      ? receivers[Path.participant(of: path)].sendTimes.next : paths[path].unreported.next
  }

  /// Returns the signs of congestion on a watched path since the last call; `nil` where the estimator knows the
  /// capacity.
  package mutating func takeSigns(on path: Int, at now: SimTime) -> Downlink.Signs? {
    controllers.takeSigns(on: path, at: now)
  }

  /// Schedules the controllers' periodic work.
  package func scheduleControl(kernel: inout Kernel) {
    kernel.schedule(after: EstimatorConfiguration.processInterval, tag: MeetingEvent(.control).tag)
  }

  /// Informs a controller that works without feedback of its path's capacity.
  package mutating func observe(_ path: Int, capacity: BitRate, at now: SimTime) {
    controllers.observe(path, capacity: capacity, at: now)
  }

  /// Returns the round trip that a path's sender knows from receiver reports, as libwebrtc does at both ends of
  /// repairs; `nil` before the first report and for a sender without media. Where estimators know the capacity, ends
  /// know the round trip as well, queues included.
  package func knownRoundTrip(
    on path: Int, _ links: borrowing PathLinks, at now: SimTime
  ) -> SimDuration? {
    guard !rules.hasReports else { return paths[path].reports.roundTrip }
    let reverse = Path.reverse(of: path)
    let waits = links.queueDelay(of: path, at: now) + links.queueDelay(of: reverse, at: now)
    return max(links.delay(of: path) + links.delay(of: reverse) + waits, RepairTiming.period)
  }

  /// Returns the round trip that a path's receiver has reported for a stream that began at a time; `nil` if it has
  /// answered no sender report since then.
  package func reportedRoundTrip(on path: Int, since beginning: SimTime) -> SimDuration? {
    paths[path].reports.answeredAt.time.flatMap { $0 >= beginning ? paths[path].reports.roundTrip : nil }
  }
}

/// Timing of receivers' requests for missing packets.
package enum RepairTiming {
  /// Interval at which receivers check for missing packets: 20 ms in libwebrtc (`nack_requester.cc`).
  package static let period = ChromiumTimer.snapped(.milliseconds(20))
  /// Time between two requests for a packet by a receiver that does not send, and so has no round trip
  /// (`nack_requester.cc`).
  package static let unknownRoundTrip = SimDuration.milliseconds(100)
}

extension PacerParameters.Probation {
  /// Creates the probe packets of a sender that paces nothing else.
  fileprivate init?(_ sending: ForwardingRules.Sending) {
    guard case .immediate(let sizes) = sending else { return nil }
    self.init(
      smallest: Int64(sizes.lowerBound), largest: Int64(sizes.upperBound),
      aroundRTP: Int64(PacketOverhead.aroundRTP))
  }
}
