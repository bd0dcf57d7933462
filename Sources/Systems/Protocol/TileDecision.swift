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

extension AllocationPolicy {
  /// Name of its type, the rule in `decisions.csv`; finding it takes longer than a decision on a few tiles.
  package var ruleName: String { String(describing: type(of: self)) }

  /// Returns the ranks of subscriptions in the order of service, from 1.
  package func ranks(of wishes: [Subscription]) -> [Int] {
    var ranks = [Int](repeating: 0, count: wishes.count)
    for (place, index) in order(of: wishes).enumerated() { ranks[index] = place + 1 }
    return ranks
  }
}

extension [TileDecision] {
  /// Creates the decisions of a policy from its grants.
  ///
  /// - Parameters:
  ///   - ranks: ``Allocation/AllocationPolicy/ranks(of:)`` of the same subscriptions.
  ///   - rule: ``Allocation/AllocationPolicy/ruleName``.
  package init(_ grants: [Grant], ranks: [Int], rule: String) {
    self = zip(grants, ranks).map { grant, rank in
      TileDecision(grant: grant, rank: rank, bitrate: grant.layer?.bitrate ?? .zero, rule: rule)
    }
  }
}
