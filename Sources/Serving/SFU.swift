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
  package var negotiations: Negotiations
  package var peers: PeerCall
  package var rampUps: RampUps
  package var reallocations: PendingReallocations
  /// Demand last signalled to each source's publisher.
  private var demands: [EncodingDemand]
  /// Actions since the meeting last recorded them.
  package var records: [SFURecord] = []
  /// Encodings of each source that remain requested after the last viewer leaves. None is requested before the first
  /// viewer arrives: the uplink would be probed only up to the low rate of these, and the viewer would wait for the
  /// rest.
  private let wantedUnwatched: [UInt32]
  /// Pauses of encodings; `nil` where they pause at once.
  package var pauses: EncodingPauses?

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
    demands = streams.sources.map { _ in EncodingDemand() }
    let publisher = plan.system.publisher().traits
    wantedUnwatched = streams.sources.map { publisher.keptUnwatched.mask(of: $0.encodings.count) }
    pauses = publisher.pauseRule.map { EncodingPauses($0, sources: streams.sourceCount) }
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
    servers.open(number, forwarder.sent[number], at: now)
    // No more packets of an earlier call are expected.
    for source in allocator.streams.cameraFirst(of: number) {
      forgetDemand(of: source)
      for encoding in allocator.streams.sources[source].encodings { forwarder.restart(encoding) }
    }
  }

  /// Forgets the demand signalled to a source whose publisher has rejoined: it may have been lost with the old
  /// connection.
  package mutating func forgetDemand(of source: Int) { demands[source] = EncodingDemand() }

  /// Ends a participant's connection.
  package mutating func close(_ number: Int, _ net: inout Connections, kernel: inout Kernel) {
    participants[number].isConnected = false
    voices.removeListener(number)
    for source in allocator.streams.sources.indices {
      retarget(viewer: number, source: source, to: .none, &net, kernel: &kernel)
    }
    let first = allocator.streams.track(viewer: number, source: 0)
    participants[number].request = nil
    controller?.uplinks[number] = .zero
    reallocations.close(number)
    for track in first..<first + allocator.streams.sourceCount { rampUps.end(track) }
    allocator.leave(number)
    servers.close(number)
    negotiations.close(number)
    for source in allocator.streams.sources.indices { tellDemand(for: source, &net, kernel: &kernel) }
  }

  /// Makes encodings that are requested again count as arriving from their first packet on.
  private mutating func expectLayers(of source: Int, _ encodings: UInt32) {
    for (index, encoding) in allocator.streams.sources[source].encodings.enumerated()
    where encodings >> UInt32(index) & 1 == 1 {
      forwarder.meter.reset(encoding)
    }
  }

  /// Returns the demand to signal to a source's publisher; `nil` if it is unchanged.
  package mutating func takeDemand(of source: Int, at now: SimTime) -> EncodingDemand? {
    let used = forwarder.usedEncodings(of: source)
    let traits = forwarder.traits[source]
    var demand = EncodingDemand(
      forwarded: used | traits.alwaysWanted,
      desired: allocator.counts.desired.mask(of: source, allocator.streams),
      settled: allocator.counts.settled.mask(of: source, allocator.streams))
    if traits.takesFrames { demand.used = used }
    if demand.wanted == 0, demands[source].wanted > 0, directory.sources[source].isCapturing {
      demand.forwarded = wantedUnwatched[source]
    }
    // Servers do not switch single layers of a scalable stream off.
    if allocator.streams.sources[source].isScalable {
      demand.takeWhole(allocator.streams.sources[source].allEncodings)
    }
    if traits.followsRequests { demand.lines = requestedLines(of: source) }
    if let controller { demand.orders = controller.orders[source] }
    if allocator.mergesFeedback || allocator.streams.sources[source].followsReceivers {
      demand.bearable = allocator.bearableRate(of: source)
    }
    if let requested = pauses?.requested(
      of: source, wanted: demand.forwarded | demand.desired, at: now)
    {
      demand.forwarded = requested
    }
    guard demand != demands[source] else { return nil }
    if forwarder.meter.isOn { expectLayers(of: source, demand.sent & ~demands[source].sent) }
    demands[source] = demand
    return demand
  }

  /// Returns the most lines that any viewer requests of a source, within its client's own limits; `nil` if none does.
  private func requestedLines(of source: Int) -> Int? {
    var most = 0
    for viewer in participants.indices {
      let track = allocator.streams.track(viewer: viewer, source: source)
      most = max(most, allocator.subscriptions.tile(track)?.lines ?? 0)
    }
    return most > 0 ? most : nil
  }
}
