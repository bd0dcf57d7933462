import Allocation
import Ladder
import Quantity
import SimulationKernel
import Systems

/// Allocation, from a client's subscriptions and a budget to the layers that the SFU forwards.
extension MeetingSimulation {
  // MARK: Times

  /// Handles a client's request when it is due: its present subscriptions reach the SFU.
  mutating func allocateDue(viewer number: Int, kernel: inout Kernel) {
    guard viewers.isViewer[number] else { return }
    viewers.states[number].pendingAllocation = nil
    let roster = roster(for: number, at: kernel.now)
    viewers.clients[number]?.applyScreen(roster)
    carryOut(viewers.clients[number]?.arrange(roster) ?? [], of: number, kernel: &kernel)
    guard let client = viewers.clients[number] else { return }
    let wishes = client.wishes(roster)
    recording.screens.note(wishes, of: number)
    if recording.screens.isDue(number) { lookAtScreen(of: number, roster, kernel: &kernel) }
    sfu.requests[number] = ViewerRequest(
      wishes: wishes, demand: client.demand(roster), beyondLimit: client.sourcesBeyondLimit(roster))
    allocate(viewer: number, kernel: &kernel)
  }

  /// Performs a reallocation that the SFU has scheduled for itself.
  mutating func reallocateDue(viewer number: Int, kernel: inout Kernel) {
    guard viewers.takeReallocation(number, at: kernel.now) else { return }
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

  /// Applies the policy to a viewer's last request, and puts the decision into force. The request that the client would
  /// make now counts once its reaction time is over.
  mutating func allocate(viewer number: Int, kernel: inout Kernel) {
    guard let request = sfu.requests[number] else { return }
    let now = kernel.now
    sfu.allocator.beginAllocation(of: number, at: now)
    var wishes = request.wishes
    askForLowStreams(wishes, by: number, kernel: &kernel)
    sfu.refreshOffers(&wishes)
    if sfu.allocator.hasServers {
      sfu.allocator.policy.confine(&wishes, to: plan.participants[number].capabilities.decode)
    }
    if sfu.controller.isUsed { return control(number, wishes, request.demand, kernel: &kernel) }
    guard !sfu.servers.areUsed else {
      subscribe(number, to: wishes, request.demand, kernel: &kernel)
      return
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
    if let end = viewers.clients[number]?.hold(&decision.grant, of: wish, at: kernel.now) {
      viewers.scheduleReallocation(number, at: end, kernel: &kernel)
    }
    let grant = decision.grant
    decision.isClients = grant != decided
    viewers.setTile(wish.tile, of: source, number)
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
    guard sfu.allocator.subscriptions[track] != nil else { return }
    let previous = sfu.allocator.subscriptions.grants[track]
    sfu.allocator.unsubscribe(number, from: source)
    viewers.setTile(nil, of: source, number)
    viewers.clients[number]?.drop(source: source)
    recordEnd(of: source, viewer: number, after: previous?.layer?.id, at: kernel.now)
    retarget(viewer: number, source: source, to: .none, kernel: &kernel)
    tellTrack(source, to: number, nil, after: previous, kernel: &kernel)
  }

  // MARK: Effect

  /// Sets a viewer's target layer of a source.
  mutating func retarget(viewer: Int, source: Int, to layer: CompactLayer, kernel: inout Kernel) {
    let decision = sfu.servers.areUsed ? sfu.servers.decision(on: source, viewer) : nil
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
