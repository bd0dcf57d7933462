import Allocation
import Ladder
import Quantity
package import Systems

/// The server's decision on all tracks at once, with the budget as its committed capacity: the allocation on
/// congestion, and whenever the capacity falls while some track is deficient.
///
/// It does not depend on what was forwarded before, except for tracks that do not arrive at all.
package struct LiveKitRule: ServerRule {
  private let parameters: LiveKitServerParameters

  package init(_ parameters: LiveKitServerParameters) { self.parameters = parameters }

  package func decide(_ state: AllocationState) -> AllocationOutcome {
    var tracks = Self.tracks(of: state.subscriptions)
    let capacity = state.budget.bitsPerSecond
    var margin = BudgetMargin()
    let order = tracks.allocateAll(within: capacity, allowsPause: parameters.allowsPause, &margin)
    var ranks = [Int](repeating: 0, count: tracks.count)
    for (rank, place) in order.enumerated() { ranks[place] = rank + 1 }
    let headroom = capacity - tracks.usage
    let decisions = tracks.indices.map { tracks[$0].decision(rank: ranks[$0], headroom: headroom) }
    return AllocationOutcome(decisions: decisions, margin: margin)
  }

  /// Creates tracks that have no state beyond their subscriptions and layers.
  private static func tracks(of subscriptions: [MeasuredSubscription]) -> [ServerTrack] {
    subscriptions.indices.map { place in
      var track = ServerTrack(source: place)
      track.layers = TrackLayers(subscriptions[place].layers)
      track.subscribe(subscriptions[place].wish)
      track.current = subscriptions[place].current
      return track
    }
  }
}

extension ServerTrack {
  /// Returns the decision on a track.
  ///
  /// - Parameter headroom: capacity left over by all tracks together [bit/s].
  fileprivate func decision(rank: Int, headroom: Int64) -> SourceDecision {
    let ideal = isMuted ? nil : maximum.flatMap { layers.highest(upTo: $0) }
    let hindrance = self.hindrance(headroom: headroom)
    return SourceDecision(
      layer: target, ideal: ideal, hindrance: hindrance?.limitation, missing: hindrance?.missing ?? .zero,
      rank: rank, rule: rule.rawValue)
  }
}
