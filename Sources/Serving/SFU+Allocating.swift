import Allocation
package import Endpoint
import Ladder
import Plan
import Quantity
package import SimulationKernel
import Systems

/// Allocation, from a client's last subscriptions and a budget to the forwarded layers.
extension SFU {
  // MARK: Times

  /// Performs a reallocation that the SFU has scheduled itself.
  package mutating func reallocateDue(viewer number: Int, _ net: inout Connections, kernel: inout Kernel) {
    guard reallocations.take(number, at: kernel.now) else { return }
    allocate(viewer: number, &net, kernel: &kernel)
  }

  /// Reallocates the viewers of a source whose layers have changed; an SFU sees this in the packets, without help from
  /// the clients.
  mutating func reallocateViewers(of source: Int, _ net: inout Connections, kernel: inout Kernel) {
    for viewer in participants.indices where participants[viewer].isConnected {
      let track = allocator.streams.track(viewer: viewer, source: source)
      guard allocator.subscriptions.grants[track]?.layer != nil else { continue }
      allocate(viewer: viewer, &net, kernel: &kernel)
    }
  }

  // MARK: Decisions

  /// Applies the policy to a viewer's last request, and carries out the decision.
  mutating func allocate(viewer number: Int, _ net: inout Connections, kernel: inout Kernel) {
    let now = kernel.now
    guard let request = takeRequest(of: number, at: now) else { return }
    var wishes = request.wishes
    allocator.beginAllocation(of: number, isByServer: servers.serves(number), at: now)
    rampUps.begin(number, request: request.demand.requestNumber)
    askForLowStreams(wishes, by: number, &net, kernel: &kernel)
    allocator.policy.confine(&wishes, to: allocator.inputLimits[number])
    if peers.isConnected(number) { return grantDirectly(wishes, to: number, &net, kernel: &kernel) }
    if controller != nil { return control(number, wishes, request.demand, &net, kernel: &kernel) }
    guard !servers.serves(number) else {
      return subscribe(number, to: wishes, request.demand, &net, kernel: &kernel)
    }
    allocator.holdRates(of: wishes, for: number, at: now)
    let grants = allocator.allocate(wishes, to: number)
    askForLowStreams(
      allocator.refusedByDevice(wishes, grants, of: number), by: number, &net, kernel: &kernel)
    let rules = wishes.map { _ in allocator.policyRule }
    apply(grants, by: rules, to: wishes, viewer: number, &net, kernel: &kernel)
    endOthers(than: wishes, of: number, &net, kernel: &kernel)
  }

  /// Ends a viewer's subscriptions to all but some sources, and signals the demand for each.
  mutating func endOthers(
    than wishes: [Subscription], of viewer: Int, _ net: inout Connections, kernel: inout Kernel
  ) {
    let isWished = wished(wishes)
    for source in allocator.streams.sources.indices {
      if !isWished[source] { unsubscribe(viewer, from: source, &net, kernel: &kernel) }
      tellDemand(for: source, &net, kernel: &kernel)
    }
  }

  /// Returns flags, by source, set for the subscribed ones.
  func wished(_ wishes: [Subscription]) -> [Bool] {
    var isWished = [Bool](repeating: false, count: allocator.streams.sourceCount)
    for wish in wishes { isWished[wish.source] = true }
    return isWished
  }

  /// Applies decisions on a viewer's subscriptions.
  ///
  /// - Parameters:
  ///   - grants: one for each subscription, in the same order.
  ///   - rules: names of the rules that decided.
  mutating func apply(
    _ grants: [Grant], by rules: [String], to wishes: [Subscription], viewer: Int, _ net: inout Connections,
    kernel: inout Kernel
  ) {
    var decided = grants
    var previous: [LayerID?] = []
    for (place, wish) in wishes.enumerated() {
      previous.append(apply(&decided[place], to: wish, viewer: viewer, &net, kernel: &kernel))
    }
    records += allocator.record(of: decided, by: rules, after: previous, viewer: viewer)
  }

  /// Applies a decision, which is limited while the stream ramps up.
  ///
  /// - Returns: the layer granted before; `nil` for none.
  private mutating func apply(
    _ grant: inout Grant, to wish: Subscription, viewer number: Int, _ net: inout Connections,
    kernel: inout Kernel
  ) -> LayerID? {
    let source = wish.source
    let track = allocator.streams.track(viewer: number, source: source)
    if let end = rampUps.limit(&grant, of: wish, on: track, at: kernel.now) {
      reallocations.schedule(number, for: .rampUp(source: source), at: end, kernel: &kernel)
    }
    let (granted, previous) = allocator.grant(grant, to: wish, viewer: number)
    let layer = grant.layer.map {
      CompactLayer(encoding: Int8($0.id.encoding), temporal: Int8($0.id.temporal), thinning: $0.thinning)
    }
    retarget(viewer: number, source: source, to: layer ?? .none, &net, kernel: &kernel)
    tellTrack(source, to: number, granted, after: previous, &net, kernel: &kernel)
    return previous?.layer?.id
  }

  mutating func unsubscribe(_ number: Int, from source: Int, _ net: inout Connections, kernel: inout Kernel) {
    let track = allocator.streams.track(viewer: number, source: source)
    guard allocator.subscriptions.contains(track) else { return }
    let previous = allocator.subscriptions.grants[track]
    allocator.unsubscribe(number, from: source)
    rampUps.end(track)
    records.append(
      .end(
        source: source, viewer: number, after: previous?.layer?.id,
        budget: allocator.budgets[number].decided ?? VideoBudget(estimate: nil)))
    retarget(viewer: number, source: source, to: .none, &net, kernel: &kernel)
    tellTrack(source, to: number, nil, after: previous, &net, kernel: &kernel)
  }

  // MARK: Effect

  /// Sets a viewer's target layer of a source.
  mutating func retarget(
    viewer: Int, source: Int, to layer: CompactLayer, _ net: inout Connections, kernel: inout Kernel
  ) {
    let decision = servers.decision(on: source, viewer)
    let layer = peers.isConnected(viewer) ? .none : layer
    guard
      let encoding = forwarder.switching.retarget(
        viewer: viewer, source: source, to: layer, asking: layer == .none ? nil : decision?.request,
        stops: decision?.stopsWhileWaiting ?? false, at: kernel.now)
    else { return }
    let track = allocator.streams.track(viewer: viewer, source: source)
    forwarder.beginRequests(of: encoding, for: track, &net, kernel: &kernel)
  }

  /// Stops forwarding anything to a viewer.
  mutating func stopForwarding(to viewer: Int, _ net: inout Connections, kernel: inout Kernel) {
    for source in allocator.streams.sources.indices {
      retarget(viewer: viewer, source: source, to: .none, &net, kernel: &kernel)
    }
  }

  // MARK: Low streams

  /// Signals viewers' requests for low streams to the publishers. A viewer that sends anything is a host, all others
  /// are audience; requests by a window or a gate count as a host's, since they precede any rule for the audience [our
  /// model].
  mutating func askForLowStreams(
    _ wishes: [Subscription], by viewer: Int, _ net: inout Connections, kernel: inout Kernel
  ) {
    let isHost = participants[viewer].isHost
    for wish in wishes where wish.wantsLowStream && !directory.sources[wish.source].sendsLow {
      let path = Path.down(allocator.streams.sources[wish.source].participant)
      let counts = isHost || wish.confinement.window != nil || wish.gate != nil
      net.send(.lowStream(source: wish.source, isHost: counts), on: path, kernel: &kernel)
    }
  }

  // MARK: Signals

  /// Signals a viewer's allocation of a source to that viewer, if it has changed.
  mutating func tellTrack(
    _ source: Int, to viewer: Int, _ grant: Grant?, after previous: Grant?, _ net: inout Connections,
    kernel: inout Kernel
  ) {
    let isGiven = grant?.layer != nil
    guard isGiven != (previous?.layer != nil) || grant?.limitation != previous?.limitation else { return }
    net.send(
      .track(source: source, isGiven: isGiven, limitation: grant?.limitation), on: Path.down(viewer),
      kernel: &kernel)
  }
}
