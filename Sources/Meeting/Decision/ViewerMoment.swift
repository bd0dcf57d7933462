import Allocation
import Decision
import Endpoint
import Ladder
import Network
import Plan
import Quantity
import Serving
import SimulationKernel
import Systems

/// A viewer at a moment of a run: its subscriptions, its downlink, and the rule that allocates for it.
struct ViewerMoment {
  let viewer: Int
  let now: SimTime

  /// Returns the subscriptions by rank, at the rates that the decisions counted.
  func tiles(_ parts: borrowing MeetingParts, _ recording: borrowing Recording) -> [ReplayedDecision.Tile] {
    var tiles: [ReplayedDecision.Tile] = []
    for source in parts.streams.sources.indices {
      let track = parts.streams.track(viewer: viewer, source: source)
      guard let last = recording.decisions[track], let rank = recording.decisions.rank(of: track),
        let wish = parts.sfu.allocator.subscriptions[track]
      else { continue }
      tiles.append(
        ReplayedDecision.Tile(
          source: source, name: recording.sources[source], rank: rank, requested: wish.requested,
          given: parts.sfu.allocator.subscriptions.grants[track]?.layer, taken: last.taken))
    }
    return tiles.sorted { ($0.rank, $0.source) < ($1.rank, $1.source) }
  }

  /// Returns the subscriptions by rank, at the rates at which the server would count them now; where it measures none,
  /// at those of the last decisions.
  func measuredTiles(
    _ parts: borrowing MeetingParts, _ recording: borrowing Recording
  ) -> [ReplayedDecision.Tile] {
    var tiles = tiles(parts, recording)
    for place in tiles.indices {
      guard let layer = tiles[place].given,
        let rate = parts.sfu.servers.rate(
          of: layer.id, tiles[place].source, viewer, parts.sfu.forwarder.meter, at: now)
      else { continue }
      tiles[place].taken = rate
    }
    return tiles
  }

  /// Returns the narrowest link of the downlink, with its capacity; `nil` for a downlink without links.
  ///
  /// - Parameter isUntilNow: where the capacity changes at the moment, returns the one until then, as in the rows of the
  ///   interval that ends, rather than the new one, on which a decision is made.
  func narrowestLink(_ parts: borrowing MeetingParts, isUntilNow: Bool = false) -> (
    name: String, capacity: BitRate
  )? {
    let start = isUntilNow ? max(.zero, now - SimDuration(nanoseconds: 1)) : now
    let links = parts.net.links.route(of: Path.down(viewer)).map { link in
      (
        name: parts.plan.links[Int(link)].name,
        capacity: parts.net.links.meanCapacity(of: Int(link), from: start, to: now)
      )
    }
    return links.min { $0.capacity < $1.capacity }
  }

  /// Returns the rule, with the input of the last decision; `nil` before a controller's first.
  func decider(_ parts: borrowing MeetingParts) -> (any ViewerDecider)? {
    if parts.sfu.peers.isConnected(viewer) {
      return PolicyDecider(
        policy: parts.plan.system.policy, cap: parts.sfu.allocator.receiveCaps[viewer],
        limit: parts.plan.participants[viewer].capabilities.decode,
        wishes: parts.sfu.allocator.orderedSubscriptions(of: viewer).map(\.withWholeLadder))
    }
    switch parts.plan.system.decider.part {
    case .controller(let control):
      guard let state = parts.sfu.controller?.lastState,
        let place = state.viewers.firstIndex(where: { $0.participant == viewer })
      else { return nil }
      return MeetingDecider(control.rule, state, viewer: place, rates: parts.plan.captureRates(parts.streams))
    case .servers(let rule, create: .some):
      return RuleDecider(rule, parts.sfu.servers.lastState(viewer) ?? measuredState(parts))
    case .policy, .servers:
      return PolicyDecider(
        policy: parts.plan.system.policy, cap: parts.sfu.allocator.budgets[viewer].decided?.cap ?? .unlimited,
        limit: parts.sfu.allocator.decoderLimits[viewer],
        wishes: parts.sfu.allocator.orderedSubscriptions(of: viewer))
    }
  }

  /// Returns the decision input of a server that decides source by source.
  private func measuredState(_ parts: borrowing MeetingParts) -> AllocationState {
    var subscriptions: [MeasuredSubscription] = []
    for wish in parts.sfu.allocator.subscriptions(of: viewer) {
      let measured = parts.sfu.forwarder.meter.layers(of: wish.source, at: now)
      subscriptions.append(
        MeasuredSubscription(
          wish: wish,
          layers: wish.ladder.map { Layer(id: $0.id, format: $0.format, bitrate: measured[$0.id]) }))
    }
    return AllocationState(budget: .zero, subscriptions: subscriptions)
  }
}
