package import Allocation
import Ladder
package import Quantity
import Systems

/// Allocation to GSO-Simulcast's subscribers when no link is short: the highest layer of each source within their
/// request.
package struct GSOPolicy: AllocationPolicy {
  package init() {}

  package func allocate(
    budget: RateLimit, cap: RateLimit, wishes: [Subscription], _ margin: inout BudgetMargin
  ) -> [Grant] {
    wishes.map { wish in
      if let nothing = Grant.excluded(wish) { return nothing }
      let lines = wish.maximum.resolution.lines
      return Grant.unhindered(wish, wish.offers.last { $0.format.resolution.lines <= lines })
    }
  }
}
