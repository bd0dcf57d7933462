import Allocation
import Ladder
import Quantity

/// The server's decision on all tracks at once, with the budget as its committed capacity: what it does on congestion,
/// and whenever the capacity falls while some track is deficient.
///
/// It does not depend on what was forwarded before, except where nothing arrives of a track.
package struct LiveKitRule: ServerRule {
  private let parameters: LiveKitServerParameters

  package init(_ parameters: LiveKitServerParameters) { self.parameters = parameters }

  package func decide(_ state: AllocationState) -> AllocationOutcome {
    var server = LiveKitServer(parameters, at: .zero)
    var margin = BudgetMargin()
    let order = server.allocateAll(state, &margin)
    var ranks = [Int](repeating: 0, count: server.tracks.count)
    for (rank, place) in order.enumerated() { ranks[place] = rank + 1 }
    let headroom = state.budget.bitsPerSecond - server.usage
    let decisions = server.tracks.indices.map { place in
      server.tracks[place].decision(rank: ranks[place], headroom: headroom)
    }
    return AllocationOutcome(decisions: decisions, margin: margin)
  }
}

extension ServerTrack {
  /// - Parameter headroom: what all tracks leave of the capacity [bit/s].
  fileprivate func decision(rank: Int, headroom: Int64) -> SourceDecision {
    let ideal = isMuted ? nil : maximum.flatMap { layers.highest(upTo: $0) }
    var decision = SourceDecision(
      layer: target, ideal: ideal, hindrance: isDeficient ? .bandwidth : nil, rank: rank,
      rule: rule.rawValue)
    decision.missing = BitRate(bitsPerSecond: missing(headroom: headroom))
    return decision
  }
}

extension LiveKitServer {
  /// Shares a capacity out among subscriptions of which nothing else is known.
  ///
  /// - Returns: the places of the subscriptions, the most important first.
  fileprivate mutating func allocateAll(_ state: AllocationState, _ margin: inout BudgetMargin) -> [Int] {
    committed = state.budget.bitsPerSecond
    tracks.reserveCapacity(state.subscriptions.count)
    for place in state.subscriptions.indices {
      var track = ServerTrack(source: place)
      track.layers = TrackLayers(state.subscriptions[place].layers)
      track.subscribe(state.subscriptions[place].wish)
      track.current = state.subscriptions[place].current
      tracks.append(track)
    }
    return allocateAll(at: .zero, &margin)
  }
}
