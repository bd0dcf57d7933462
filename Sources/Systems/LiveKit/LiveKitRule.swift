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
    server.allocateAll(state, &margin)
    let order = server.mostImportantFirst()
    let decisions = state.subscriptions.enumerated().map { place, subscription in
      let rank = (order.firstIndex(of: place) ?? place) + 1
      let track = server.tracks[place]
      let ideal = track.maximum.flatMap { track.measured(upTo: $0).last }
      var decision = SourceDecision(
        layer: track.target, ideal: track.isMuted ? nil : ideal,
        hindrance: track.isDeficient ? .bandwidth : nil, rank: rank, rule: track.rule.rawValue)
      guard track.isDeficient, let maximum = track.maximum,
        let next = track.layersAbove(track.target, upTo: maximum).first
      else { return decision }
      let free = max(0, state.budget.bitsPerSecond - server.usage)
      decision.missing = BitRate(bitsPerSecond: max(1, track.rate(next) - track.usage - free))
      return decision
    }
    return AllocationOutcome(decisions: decisions, margin: margin)
  }
}

extension LiveKitServer {
  /// Shares a capacity out among subscriptions of which nothing else is known.
  fileprivate mutating func allocateAll(_ state: AllocationState, _ margin: inout BudgetMargin) {
    committed = state.budget.bitsPerSecond
    tracks = state.subscriptions.enumerated().map { place, subscription in
      var track = ServerTrack(source: place)
      track.layers = subscription.measured
      track.subscribe(subscription.wish)
      track.current = subscription.current
      return track
    }
    allocateAll(at: .zero, &margin)
  }
}

extension Subscription {
  /// The layers as the server's meters have them.
  fileprivate var measured: MeasuredLayers {
    var measured = MeasuredLayers()
    for layer in layers where layer.bitrate > .zero {
      while measured.rates.count <= layer.id.encoding { measured.rates.append([]) }
      while measured.rates[layer.id.encoding].count <= layer.id.temporal {
        measured.rates[layer.id.encoding].append(.zero)
      }
      measured.rates[layer.id.encoding][layer.id.temporal] = layer.bitrate
      measured.highestTemporalSeen = max(measured.highestTemporalSeen ?? 0, layer.id.temporal)
    }
    measured.available = measured.rates.indices.filter { !measured.rates[$0].isEmpty }
    measured.highestSeen = measured.available.last
    return measured
  }
}
