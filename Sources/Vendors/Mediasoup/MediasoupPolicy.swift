package import Allocation
import Ladder
package import Quantity
import Systems

/// Allocation to consumers when bandwidth is no constraint: their preferred layers or the highest below them.
package struct MediasoupPolicy: AllocationPolicy {
  package init() {}

  package func allocate(
    budget: RateLimit, cap: RateLimit, wishes: [Subscription], _ margin: inout BudgetMargin
  ) -> [Grant] {
    wishes.map { Grant.excluded($0) ?? .unhindered($0, Self.ideal(of: $0)) }
  }

  private static func ideal(of wish: Subscription) -> Layer? {
    guard let ceiling = wish.demand.ceiling else { return wish.offers.last }
    return wish.offers.last { layer in
      layer.id.encoding < ceiling.encoding
        || layer.id.encoding == ceiling.encoding && layer.id.temporal <= ceiling.temporal
    }
  }
}
