import Allocation
import Ladder
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Systems

/// Allocation at the SFU, from a client's last subscriptions and a budget to the layers that are forwarded.
extension MeetingSimulation {
  // MARK: Times

  /// Performs a reallocation that the SFU has scheduled for itself.
  mutating func reallocateDue(viewer number: Int, kernel: inout Kernel) {
    guard sfu.reallocations.take(number, at: kernel.now) else { return }
    allocate(viewer: number, kernel: &kernel)
  }

  /// Reallocates the viewers of a source whose layers have changed: an SFU sees that in the packets, without its
  /// clients' help.
  mutating func reallocateViewers(of source: Int, kernel: inout Kernel) {
    for viewer in people.indices where people.isJoined(viewer) {
      let track = streams.track(viewer: viewer, source: source)
      guard sfu.allocator.subscriptions.grants[track]?.layer != nil else { continue }
      allocate(viewer: viewer, kernel: &kernel)
    }
  }

  // MARK: Decisions

  /// Applies the policy to a viewer's last request, and puts the decision into force.
  mutating func allocate(viewer number: Int, kernel: inout Kernel) {
    let now = kernel.now
    guard let request = sfu.takeRequest(of: number, at: now) else { return }
    var wishes = request.wishes
    sfu.allocator.beginAllocation(of: number, at: now)
    sfu.rampUps.begin(number, request: request.demand.requestNumber)
    askForLowStreams(wishes, by: number, kernel: &kernel)
    if sfu.allocator.hasServers {
      sfu.allocator.policy.confine(&wishes, to: plan.participants[number].capabilities.decode)
    }
    if sfu.controller != nil { return control(number, wishes, request.demand, kernel: &kernel) }
    guard !sfu.servers.serves(number) else {
      return subscribe(number, to: wishes, request.demand, kernel: &kernel)
    }
    sfu.allocator.holdRates(of: wishes, for: number, at: now)
    let grants = sfu.allocator.allocate(wishes, to: number)
    askForSmallerStreams(grants, wishes, by: number, kernel: &kernel)
    var isWished = [Bool](repeating: false, count: streams.sourceCount)
    for wish in wishes { isWished[wish.source] = true }
    let decisions = sfu.allocator.decisions(grants, wishes)
    apply(decisions, to: wishes, viewer: number, kernel: &kernel)
    for source in streams.sources.indices {
      if !isWished[source] { unsubscribe(number, from: source, kernel: &kernel) }
      tellDemand(for: source, kernel: &kernel)
    }
  }

  /// Applies decisions on a viewer's subscriptions, one for each, in their order.
  mutating func apply(
    _ decisions: [TileDecision], to wishes: [Wish], viewer: Int, kernel: inout Kernel
  ) {
    var made = decisions
    for (place, wish) in wishes.enumerated() {
      apply(&made[place], to: wish, viewer: viewer, kernel: &kernel)
    }
    recordDecisions(made, on: wishes, of: viewer, at: kernel.now)
  }

  private mutating func apply(
    _ decision: inout TileDecision, to wish: Wish, viewer number: Int, kernel: inout Kernel
  ) {
    let source = wish.source
    let decided = decision.grant
    let track = streams.track(viewer: number, source: source)
    if let end = sfu.rampUps.limit(&decision.grant, of: wish, on: track, at: kernel.now) {
      sfu.reallocations.schedule(number, for: .rampUp(source: source), at: end, kernel: &kernel)
    }
    let grant = decision.grant
    decision.isRampingUp = grant != decided
    let previous = sfu.allocator.grant(grant, to: wish, viewer: number, at: kernel.now)
    decision.previous = previous?.layer?.id
    let layer = grant.layer.map {
      CompactLayer(
        encoding: Int8($0.id.encoding), temporal: Int8($0.id.temporal), thinning: $0.thinning)
    }
    retarget(viewer: number, source: source, to: layer ?? .none, kernel: &kernel)
    tellTrack(source, to: number, grant, after: previous, kernel: &kernel)
  }

  mutating func unsubscribe(_ number: Int, from source: Int, kernel: inout Kernel) {
    let track = streams.track(viewer: number, source: source)
    guard sfu.allocator.subscriptions.contains(track) else { return }
    let previous = sfu.allocator.subscriptions.grants[track]
    sfu.allocator.unsubscribe(number, from: source)
    sfu.rampUps.end(track)
    recordEnd(of: source, viewer: number, after: previous?.layer?.id, at: kernel.now)
    retarget(viewer: number, source: source, to: .none, kernel: &kernel)
    tellTrack(source, to: number, nil, after: previous, kernel: &kernel)
  }

  // MARK: Effect

  /// Sets a viewer's target layer of a source.
  mutating func retarget(viewer: Int, source: Int, to layer: CompactLayer, kernel: inout Kernel) {
    let decision = sfu.servers.decision(on: source, viewer)
    guard
      let encoding = sfu.forwarder.retarget(
        viewer: viewer, source: source, to: layer, asking: layer == .none ? nil : decision?.request,
        stops: decision?.stopsWhileWaiting ?? false, at: kernel.now)
    else { return }
    let track = streams.track(viewer: viewer, source: source)
    sfu.forwarder.beginRequests(
      of: encoding, for: track, endpoints: &endpoints, links: &links, kernel: &kernel)
  }
}
