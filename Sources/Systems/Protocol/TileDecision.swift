package import Allocation
package import Ladder
package import Quantity

/// A decision on one subscription as reported in `decisions.csv` and by `allocate`.
package struct TileDecision {
  package var grant: Grant
  /// Rank in the order of service, from 1.
  package var rank: Int
  /// Rate that the tile takes from the budget, as the rule counts it.
  package var bitrate: BitRate
  /// Name of the rule in its system's folder.
  package var rule: String
  /// Set if the tile is limited while it ramps up.
  package var isRampingUp = false
  /// Layer granted before; `nil` for none.
  package var previous: LayerID?

  package init(grant: Grant, rank: Int, bitrate: BitRate, rule: String) {
    self.grant = grant
    self.rank = rank
    self.bitrate = bitrate
    self.rule = rule
  }

  /// Creates the decision of a rule.
  ///
  /// - Parameter layer: the layer decided on, as the grant names it; `nil` for nothing.
  package init(_ decision: SourceDecision, of wish: Subscription, _ layer: Layer?) {
    self.init(
      grant: Grant(decision, of: wish, layer), rank: decision.rank, bitrate: decision.bitrate,
      rule: decision.rule)
  }
}
