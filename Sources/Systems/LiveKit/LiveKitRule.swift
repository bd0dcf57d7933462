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
    var ranks = [Int](repeating: 0, count: server.tracks.count)
    for (rank, place) in server.mostImportantFirst().enumerated() { ranks[place] = rank + 1 }
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
    let ideal = isMuted ? nil : maximum.flatMap { highestMeasured(upTo: $0) }
    var decision = SourceDecision(
      layer: target, ideal: ideal, hindrance: isDeficient ? .bandwidth : nil, rank: rank,
      rule: rule.rawValue)
    decision.missing = BitRate(bitsPerSecond: missing(headroom: headroom))
    return decision
  }
}

extension LiveKitServer {
  /// Shares a capacity out among subscriptions of which nothing else is known.
  fileprivate mutating func allocateAll(_ state: AllocationState, _ margin: inout BudgetMargin) {
    committed = state.budget.bitsPerSecond
    tracks.reserveCapacity(state.subscriptions.count)
    for place in state.subscriptions.indices {
      var track = ServerTrack(source: place)
      track.layers = MeasuredLayers(state.subscriptions[place].layers)
      track.subscribe(state.subscriptions[place].wish)
      track.current = state.subscriptions[place].current
      tracks.append(track)
    }
    allocateAll(at: .zero, &margin)
  }
}

extension MeasuredLayers {
  /// The layers as the server's meters have them.
  fileprivate init(_ layers: [Layer]) {
    self.init()
    rates.reserveCapacity((layers.last?.id.encoding ?? -1) + 1)
    for layer in layers where layer.bitrate > .zero {
      while rates.count <= layer.id.encoding { rates.append([]) }
      rates[layer.id.encoding].set(layer.bitrate, at: layer.id.temporal)
      highestTemporalSeen = max(highestTemporalSeen ?? 0, layer.id.temporal)
    }
    available = rates.indices.filter { !rates[$0].isEmpty }
    highestSeen = available.last
  }
}

extension [BitRate] {
  /// Sets an element, with zeros before it where there are fewer.
  fileprivate mutating func set(_ rate: BitRate, at place: Int) {
    if isEmpty { reserveCapacity(4) }
    while count <= place { append(.zero) }
    self[place] = rate
  }
}
