import Allocation
import Quantity
import Systems

/// What a viewer's client asks of the SFU.
struct ViewerRequest {
  var wishes: [Wish]
  var demand: ViewerDemand
  /// Sources on the screen that it does not ask for, since the system gives a viewer no more.
  var beyondLimit: Set<Int>
}

/// The SFU: what it knows, what it decides, and what it forwards.
struct SFU: ~Copyable {
  /// What it knows of everybody.
  var directory: Directory
  /// By viewer: what its client asked for last; `nil` before it has.
  var requests: [ViewerRequest?]
  var forwarder: Forwarder
  var voices: VoiceForwarder
  var allocator: Allocator
  var servers: ViewerServers
  var controller: MeetingController
  var negotiations: Negotiations
  /// By source: what its publisher was last told.
  private var demands: [EncodingDemand]
  private let mergesFeedback: Bool
  /// By source: what goes on being asked of it when nobody watches it any more. It begins with a first viewer: an uplink
  /// would be probed for that little, and the viewer wait for the rest.
  private let wantedUnwatched: [UInt32]
  /// `nil` where encodings pause at once.
  var pauses: EncodingPauses?

  init(_ plan: MeetingPlan, streams: StreamNumbering, directory: Directory) {
    self.directory = directory
    requests = plan.participants.map { _ in nil }
    forwarder = Forwarder(plan, streams: streams)
    voices = VoiceForwarder(plan)
    allocator = Allocator(plan, streams: streams)
    servers = ViewerServers(plan)
    controller = MeetingController(plan, streams: streams)
    negotiations = Negotiations(
      plan.system.negotiation, viewers: plan.participants.count, sources: streams.sourceCount)
    mergesFeedback = plan.system.mergesFeedback
    demands = streams.sources.map { _ in EncodingDemand() }
    let publisher = plan.system.publisher()
    wantedUnwatched = streams.sources.map { publisher.wantedUnwatched(of: $0.encodings.count) }
    pauses = publisher.pauseRule.map { EncodingPauses($0, sources: streams.sourceCount) }
  }

  /// Sets what subscriptions may choose from to what the SFU knows of each source, which is newer than what the client
  /// knew.
  func refreshOffers(_ wishes: inout [Wish]) {
    for place in wishes.indices {
      let source = directory.sources[wishes[place].source]
      wishes[place].refresh(offers: source.offers, ladder: source.ladder)
      if !source.isCapturing { wishes[place].absence = .muted }
    }
  }

  /// A source's publisher has joined anew: what it was told of the demand may have been lost with its last connection.
  mutating func forgetDemand(of source: Int) { demands[source] = EncodingDemand() }

  /// Encodings that are asked for anew count as arriving with their first packet.
  private mutating func expectLayers(of source: Int, _ encodings: UInt32) {
    for (index, encoding) in allocator.streams.sources[source].encodings.enumerated()
    where encodings >> UInt32(index) & 1 == 1 {
      forwarder.meter.reset(encoding)
    }
  }

  /// What a source's publisher has to be told of the demand for its encodings; `nil` where it knows.
  mutating func takeDemand(of source: Int, at now: SimTime) -> EncodingDemand? {
    var demand = EncodingDemand(
      forwarded: forwarder.wantedEncodings(of: source),
      desired: allocator.counts.desired.mask(of: source, allocator.streams),
      settled: allocator.counts.settled.mask(of: source, allocator.streams))
    if demand.wanted == 0, demands[source].wanted > 0, directory.sources[source].isCapturing {
      demand.forwarded = wantedUnwatched[source]
    }
    if controller.isUsed { demand.orders = controller.orders[source] }
    if mergesFeedback { demand.bearable = allocator.bearableRate(of: source) }
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
}
