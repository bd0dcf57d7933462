import Allocation
import Ladder
import Quantity
package import Systems

/// Relay of Janus' videoroom to one viewer.
///
/// Releases relay the highest encoding that arrives up to the one that the viewer names, whatever the bandwidth. Branch
/// bwe-tests (`janus_videoroom_estimated_bandwidth`) walks the subscriptions in order and takes for each the first
/// layer that fits the remaining estimate, from the wanted one down by encoding, then temporal layer. It never pauses:
/// if nothing fits, the stream stays at the layer of the last decision, or at the wanted one if there is none, and
/// nothing is left for the streams after it.
///
/// The server has no information about screens: an off-screen source is relayed as long as it is subscribed. A source
/// without simulcast is relayed whole. A layer that does not arrive does not exist [our model: the branch keeps
/// offering one that has stopped, at no cost, until the starvation fallback has switched away from it].
package struct JanusRule: ServerRule {
  private let allocates: Bool
  private let headroom: Int64
  private let cooldown: SimDuration

  package init(_ parameters: JanusParameters) {
    allocates = parameters.allocation
    headroom = parameters.wantedHeadroom.bitsPerSecond
    cooldown = parameters.cooldown
  }

  /// Names of the rule's cases in `decisions.csv`.
  private enum Case: String {
    /// Relays regardless of the bandwidth.
    case relay = "janus-relay"
    /// Relays the layer that the viewer wants.
    case wanted = "janus-wanted"
    /// Relays the highest fitting layer below the wanted one.
    case lower = "janus-lower"
    /// Keeps the last layer because nothing fits.
    case unchanged = "janus-unchanged"
  }

  package func decide(_ state: AllocationState) -> AllocationOutcome {
    var margin = BudgetMargin()
    var estimate = Estimate(left: state.budget.bitsPerSecond)
    var decisions = state.subscriptions.map { _ in
      SourceDecision(layer: nil, ideal: nil, rank: 0, rule: Case.relay.rawValue)
    }
    for (place, index) in Self.order(state.subscriptions).enumerated() {
      let stream = RelayedSource(state.subscriptions[index])
      decisions[index] = decide(stream, &estimate, &margin)
      decisions[index].rank = place + 1
    }
    return AllocationOutcome(decisions: decisions, margin: margin)
  }

  /// Orders subscriptions as the client lists them; screen shares, which have no place, come first.
  private static func order(_ subscriptions: [MeasuredSubscription]) -> [Int] {
    let places = subscriptions.map { $0.wish.demand.place ?? -1 }
    return places.indices.sorted { a, b in places[a] == places[b] ? a < b : places[a] < places[b] }
  }

  private func decide(_ stream: RelayedSource, _ estimate: inout Estimate, _ margin: inout BudgetMargin)
    -> SourceDecision
  {
    guard let wanted = stream.wanted, let ideal = stream.relayed(stream.layers[wanted].id) else {
      return SourceDecision(layer: nil, ideal: nil, rank: 0, rule: Case.relay.rawValue)
    }
    let cost = stream.layers[wanted].bitrate.bitsPerSecond
    guard allocates else {
      return SourceDecision(layer: ideal, ideal: ideal, rank: 0, rule: Case.relay.rawValue)
    }
    guard stream.isSimulcast else {
      if estimate.fits(cost, &margin) { estimate.take(cost) } else { estimate.exhaust() }
      return SourceDecision(layer: ideal, ideal: ideal, rank: 0, rule: Case.relay.rawValue)
    }
    guard !estimate.fits(cost + headroom, &margin) else {
      estimate.take(cost)
      return SourceDecision(layer: ideal, ideal: ideal, rank: 0, rule: Case.wanted.rawValue)
    }
    return lower(stream, below: wanted, ideal, &estimate, &margin)
  }

  /// Selects the highest layer that fits, below the wanted one, which does not.
  private func lower(
    _ stream: RelayedSource, below wanted: Int, _ ideal: LayerID, _ estimate: inout Estimate,
    _ margin: inout BudgetMargin
  ) -> SourceDecision {
    let before = stream.lowered(from: ideal)
    let isCooling = stream.sinceDowngrade.map { $0 < cooldown } ?? false
    var isHeld = false
    var missing = stream.layers[wanted].bitrate.bitsPerSecond + headroom - estimate.left
    for layer in stream.layers[..<wanted].reversed() where layer.bitrate > .zero {
      let cost = layer.bitrate.bitsPerSecond
      guard estimate.fits(cost, &margin) else {
        missing = cost - estimate.left
        continue
      }
      if let before, isCooling, layer.id.encoding > before.encoding {
        isHeld = true
        continue
      }
      estimate.take(cost)
      return SourceDecision(
        stream.relayed(layer.id), ideal, isHeld: isHeld, missing: missing, rule: Case.lower.rawValue,
        isDowngrade: before.map { layer.id.encoding < $0.encoding } ?? true)
    }
    estimate.exhaust()
    let kept = before.flatMap { stream.relayed($0) } ?? ideal
    return SourceDecision(
      kept, ideal, isHeld: isHeld, missing: missing, rule: Case.unchanged.rawValue, isDowngrade: false)
  }
}

extension SourceDecision {
  fileprivate init(
    _ layer: LayerID?, _ ideal: LayerID, isHeld: Bool, missing: Int64, rule: String, isDowngrade: Bool
  ) {
    let isShort = layer != ideal
    self.init(
      layer: layer, ideal: ideal, hindrance: isShort ? (isHeld ? .hold : .bandwidth) : nil,
      missing: isShort && !isHeld ? BitRate(bitsPerSecond: missing) : .zero, rank: 0, rule: rule)
    self.isDowngrade = isDowngrade
  }
}

/// Remaining part of an estimate.
private struct Estimate {
  /// Remaining bit rate [bit/s].
  private(set) var left: Int64
  /// Set once the server has set the remainder to zero, after which a larger budget does not raise it.
  private var isExhausted = false

  init(left: Int64) { self.left = left }

  func fits(_ cost: Int64, _ margin: inout BudgetMargin) -> Bool {
    isExhausted ? cost <= left : margin.fits(cost, within: left)
  }

  mutating func take(_ cost: Int64) { left -= cost }

  mutating func exhaust() {
    left = 0
    isExhausted = true
  }
}

/// A subscription in the rule's terms.
private struct RelayedSource {
  /// Layers by encoding, then by temporal layer; those with rate zero do not arrive.
  let layers: [Layer]
  let isSimulcast: Bool
  let sinceDowngrade: SimDuration?
  /// Highest layer that the viewer names.
  private let ceiling: LayerID
  private let target: LayerID?

  init(_ subscription: borrowing MeasuredSubscription) {
    layers = subscription.wish.absence == nil ? subscription.layers : []
    isSimulcast = layers.first?.id.encoding != layers.last?.id.encoding
    ceiling =
      subscription.wish.demand.ceiling ?? JanusPolicy.selection(of: subscription.wish)?.id ?? Self.highest
    sinceDowngrade = subscription.sinceDowngrade
    target = subscription.target
  }

  /// Values of `substream` and `temporal` if a client specifies neither.
  private static let highest = LayerID(encoding: 2, temporal: 2)

  /// Index of the layer whose rate is tried first: the highest that arrives up to the one that the viewer names, by
  /// encoding, then by temporal layer; `nil` if none does.
  var wanted: Int? {
    layers.indices.last { layers[$0].bitrate > .zero && (!isSimulcast || layers[$0].id <= ceiling) }
  }

  /// Returns the layer relayed while a layer is the target: the highest encoding that arrives up to the target's, with
  /// temporal layers up to the target's and up to the one that the viewer names.
  func relayed(_ target: LayerID) -> LayerID? {
    guard isSimulcast else { return wanted.map { layers[$0].id } }
    let temporal = min(target.temporal, ceiling.temporal)
    var relayed: LayerID?
    for layer in layers.reversed() where layer.bitrate > .zero && layer.id.encoding <= target.encoding {
      if let relayed, layer.id.encoding < relayed.encoding { break }
      relayed = layer.id
      if layer.id.temporal <= temporal { break }
    }
    return relayed
  }

  /// Returns the target of the last decision if bandwidth had lowered it [our model: if it is below the ideal].
  func lowered(from ideal: LayerID) -> LayerID? { target.flatMap { $0 < ideal ? $0 : nil } }
}
