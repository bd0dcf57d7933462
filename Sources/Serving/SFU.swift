package import Allocation
package import Endpoint
package import Plan
package import Quantity
package import SimulationKernel
import Systems

/// The SFU: its knowledge, its decisions, and its forwarding.
package struct SFU: ~Copyable {
  /// The SFU's knowledge of all participants.
  package var directory: Directory
  package var participants: [ServedParticipant]
  package var forwarder: Forwarder
  package var voices: VoiceForwarder
  package var allocator: Allocator
  package var servers: ViewerServers
  /// Controller for the whole meeting; `nil` in systems without one.
  package var controller: MeetingController?
  /// Negotiation of tracks; `nil` in systems that negotiate nothing.
  package var negotiations: Negotiations?
  package var peers: PeerCall
  package var rampUps: RampUps
  package var reallocations: PendingReallocations
  package var demands: PublisherDemands
  /// Actions since the meeting last recorded them.
  package var records: [SFURecord] = []

  package init(_ plan: MeetingPlan, streams: StreamNumbering, directory: Directory) {
    self.directory = directory
    participants = plan.participants.map(ServedParticipant.init)
    forwarder = Forwarder(plan, streams: streams)
    voices = VoiceForwarder(plan)
    allocator = Allocator(plan, streams: streams)
    servers = ViewerServers(plan, caps: allocator.receiveCaps)
    controller = MeetingController(plan, streams: streams)
    negotiations = Negotiations(plan.system.traits.negotiation, viewers: plan.participants.count)
    peers = PeerCall(plan.system.traits.peerToPeer)
    rampUps = RampUps(
      plan.system.traits.forwarding.rampUp, viewers: plan.participants.count, tracks: streams.trackCount)
    reallocations = PendingReallocations(viewers: plan.participants.count)
    demands = PublisherDemands(plan.system.publisher().traits, streams.sources)
  }

  /// Updates the layers offered in subscriptions to the SFU's knowledge of each source, which is newer than the
  /// client's.
  private func refreshOffers(_ wishes: inout [Subscription]) {
    for place in wishes.indices {
      let source = directory.sources[wishes[place].source]
      wishes[place].refresh(offers: source.offers, ladder: source.ladder, published: source.published)
      wishes[place].scalability = forwarder.traits[wishes[place].source].scalable?.mode
      wishes[place].followsReceivers = allocator.streams.sources[wishes[place].source].followsReceivers
      if !source.isCapturing { wishes[place].noteSilence() }
    }
  }

  /// Completes a viewer's last request with the SFU's own knowledge: the layers of each source, and the client's
  /// settings for its track; `nil` before the first request.
  package mutating func takeRequest(of viewer: Int, at now: SimTime) -> (
    wishes: [Subscription], demand: ViewerDemand
  )? {
    guard var wishes = participants[viewer].request?.wishes, let demand = participants[viewer].request?.demand
    else { return nil }
    refreshOffers(&wishes)
    servers.complete(&wishes, of: viewer, at: now)
    return (wishes, demand)
  }

  // MARK: Connections

  /// Starts monitoring a downlink whose viewer's client uses reports on it.
  package mutating func watch(_ viewer: Int, _ net: inout Connections) {
    participants[viewer].followsDownlink = true
    net.endpoints.watch(Path.down(viewer))
  }

  /// Begins a participant's connection.
  package mutating func open(_ number: Int, _ net: borrowing Connections, at now: SimTime) {
    participants[number].isConnected = true
    if net.links.exists(Path.down(number)) { voices.addListener(number) }
    allocator.open(number)
    servers.open(number, forwarder.egress.sent[number], at: now)
    // No more packets of an earlier call are expected.
    for source in allocator.streams.cameraFirst(of: number) {
      demands.forget(source)
      for encoding in allocator.streams.sources[source].encodings { forwarder.restart(encoding) }
    }
  }

  /// Ends a participant's connection.
  package mutating func close(_ number: Int, _ net: inout Connections, kernel: inout Kernel) {
    participants[number].isConnected = false
    voices.removeListener(number)
    stopForwarding(to: number, &net, kernel: &kernel)
    let first = allocator.streams.track(viewer: number, source: 0)
    participants[number].request = nil
    controller?.uplinks[number] = .zero
    reallocations.close(number)
    for track in first..<first + allocator.streams.sourceCount { rampUps.end(track) }
    allocator.leave(number)
    servers.close(number)
    negotiations?.close(number)
    tellDemands(&net, kernel: &kernel)
  }
}
