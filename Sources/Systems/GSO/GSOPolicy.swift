package import Allocation
import Ladder
package import Quantity

/// What GSO-Simulcast's subscribers get where no link is short: of each source the highest layer within their request.
package struct GSOPolicy: AllocationPolicy {
  package init() {}

  package func allocate(budget: RateLimit, cap: RateLimit, wishes: [Wish]) -> [Grant] {
    wishes.map { wish in
      if let nothing = Grant.excluded(wish) { return nothing }
      let lines = wish.maximum.resolution.lines
      return Grant.unhindered(wish, wish.offers.last { $0.format.resolution.lines <= lines })
    }
  }
}
