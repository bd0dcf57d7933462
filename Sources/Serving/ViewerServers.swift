package import Allocation
package import CongestionControl
import Ladder
import Plan
package import Quantity
package import Systems

/// The parts of a system's server that decide for one viewer each, in systems whose decisions need a memory.
package struct ViewerServers {
  private let system: any System
  /// Servers by viewer; `nil` outside the meeting.
  private var servers: [(any ViewerServer)?]
  /// Times at which the servers' pending events are due, by viewer.
  private var dueAt: [SimTime?]
  /// Video sent to each viewer when its last estimate arrived.
  private var reported: [SentVideo]
  /// State and capacity of the sender's own detector that were passed on last, by viewer.
  private var congestion: [(state: PathCongestion, capacity: BitRate)]
  /// Set if the system has such servers.
  package let areUsed: Bool

  init(_ plan: MeetingPlan) {
    system = plan.system
    areUsed = plan.system.server(at: .zero) != nil
    let count = areUsed ? plan.participants.count : 0
    servers = Array(repeating: nil, count: count)
    dueAt = Array(repeating: nil, count: count)
    reported = Array(repeating: SentVideo(), count: count)
    congestion = Array(repeating: (.none, .zero), count: count)
  }

  /// Opens a viewer's server for a new connection.
  ///
  /// - Parameter sent: video sent to it before.
  package mutating func open(_ viewer: Int, _ sent: SentVideo, at now: SimTime) {
    servers[viewer] = system.server(at: now)
    reported[viewer] = sent
    congestion[viewer] = (.none, .zero)
  }

  package mutating func close(_ viewer: Int) {
    guard areUsed else { return }
    servers[viewer] = nil
    dueAt[viewer] = nil
  }

  /// Passes a viewer's present subscriptions on, and ends its former ones.
  ///
  /// - Parameters:
  ///   - estimate: estimated capacity of the downlink.
  ///   - queued: bytes waiting to be sent to the viewer.
  /// - Returns: `true` if the server has reallocated all subscriptions.
  package mutating func subscribe(
    _ viewer: Int, to wishes: [Wish], _ demand: ViewerDemand, ending: [Int], within estimate: BitRate,
    _ meter: borrowing LayerMeter, queued: ByteCount, at now: SimTime
  ) -> Bool {
    servers[viewer]?.begin(with: estimate, at: now)
    servers[viewer]?.demand(demand)
    for source in ending { servers[viewer]?.subscribe(nil, to: source, MeasuredLayers(), at: now) }
    for wish in wishes {
      servers[viewer]?.subscribe(wish, to: wish.source, meter.layers(of: wish.source, at: now), at: now)
    }
    return decideIfDue(viewer, meter, queued: queued, at: now)
  }

  /// Passes a client's settings of a source's track on.
  ///
  /// - Returns: the time at which they take effect; `nil` if they change nothing.
  package mutating func receive(_ settings: TrackSettings, of source: Int, _ viewer: Int, at now: SimTime)
    -> SimTime?
  {
    areUsed ? servers[viewer]?.receive(settings, of: source, at: now) : nil
  }

  /// Completes a viewer's subscriptions by the settings in effect.
  package mutating func complete(_ wishes: inout [Wish], of viewer: Int, at now: SimTime) {
    if areUsed { servers[viewer]?.complete(&wishes, at: now) }
  }

  package func decidesAtOnce(_ viewer: Int) -> Bool { servers[viewer]?.decidesAtOnce ?? false }

  /// Lets a server decide that waits for it, with the layers that arrive now.
  ///
  /// - Returns: `true` if it has.
  package mutating func decideIfDue(
    _ viewer: Int, _ meter: borrowing LayerMeter, queued: ByteCount, at now: SimTime
  ) -> Bool {
    guard let server = servers[viewer], server.isDue else { return false }
    var layers: [MeasuredLayers] = []
    for source in server.subscribed { layers.append(meter.layers(of: source, at: now)) }
    servers[viewer]?.decide(layers, queued: queued, at: now)
    return true
  }

  package mutating func follow(_ layers: MeasuredLayers, of source: Int, _ viewer: Int, at now: SimTime) {
    servers[viewer]?.follow(layers, of: source, at: now)
  }

  package mutating func noteForwarded(_ layer: CompactLayer, of source: Int, _ viewer: Int, at now: SimTime) {
    let id =
      layer.encoding < 0
      ? nil : LayerID(encoding: Int(layer.encoding), temporal: max(0, Int(layer.temporal)))
    servers[viewer]?.noteForwarded(id, of: source, at: now)
  }

  /// Passes an estimate on, with the video sent since the last one.
  package mutating func receive(_ estimate: BitRate, _ sent: SentVideo, _ viewer: Int, at now: SimTime) {
    let before = reported[viewer]
    reported[viewer] = sent
    servers[viewer]?.receive(
      .estimate(
        estimate, packets: sent.packets - before.packets,
        repeatedNACKs: sent.repeatedNACKs - before.repeatedNACKs), at: now)
  }

  /// Passes the state of a sender's own detector on if it has changed, or, while it is congested, if the capacity has.
  package mutating func receive(_ state: PathCongestion, capacity: BitRate, _ viewer: Int, at now: SimTime) {
    let before = congestion[viewer]
    guard state != before.state || state == .congested && capacity != before.capacity else { return }
    congestion[viewer] = (state, capacity)
    servers[viewer]?.receive(.congestion(state, capacity: capacity), at: now)
  }

  package mutating func takeCommands(_ viewer: Int) -> [SenderCommand] {
    servers[viewer]?.takeCommands() ?? []
  }

  /// Notes that a sender's detector was reset, so that this state is not passed on as a change.
  package mutating func noteReset(_ viewer: Int) { congestion[viewer].state = .none }

  /// Performs the work that is due.
  ///
  /// - Returns: bytes to send as a probe.
  package mutating func wake(
    _ viewer: Int, _ sent: SentVideo, roundTrip: SimDuration?, _ sender: SenderState?, at now: SimTime
  ) -> Int {
    dueAt[viewer] = nil
    return servers[viewer]?.wake(sentBytes: sent.bytes, roundTrip: roundTrip, sender, at: now) ?? 0
  }

  /// Checks whether a server's event is due now, and not superseded.
  package func isDue(_ viewer: Int, at now: SimTime) -> Bool { dueAt[viewer] == now }

  package mutating func noteProbe(bytes: Int, _ viewer: Int) { servers[viewer]?.noteProbe(bytes: bytes) }

  /// Returns the time at which a server is to be woken, if there is no event for it yet.
  package mutating func takeWake(_ viewer: Int) -> SimTime? {
    guard let due = servers[viewer]?.wakesAt, dueAt[viewer].map({ due < $0 }) ?? true else { return nil }
    dueAt[viewer] = due
    return due
  }

  package mutating func takeChange(_ viewer: Int) -> Bool { servers[viewer]?.takeChange() ?? false }

  package mutating func takeEvents(_ viewer: Int) -> [SystemEvent] { servers[viewer]?.takeEvents() ?? [] }

  /// Returns the capacity that a viewer's server has settled on.
  package func cap(_ viewer: Int) -> BitRate? { servers[viewer]?.cap }

  package func lastState(_ viewer: Int) -> AllocationState? { servers[viewer]?.lastState }

  /// Returns the sources with a subscription, in the server's order of service.
  package func servedOrder(_ viewer: Int) -> [Int] { servers[viewer]?.servedOrder ?? [] }

  package func decision(on source: Int, _ viewer: Int) -> ServerDecision? {
    servers[viewer]?.decision(on: source)
  }

  /// Returns the allocation of a subscription by a server's decision.
  package func grant(for wish: Wish, _ viewer: Int) -> Grant {
    servers[viewer]?.grant(for: wish) ?? Grant.unhindered(wish, nil)
  }
}
