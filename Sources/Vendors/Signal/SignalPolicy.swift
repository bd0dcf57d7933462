package import Allocation
import Ladder
package import Quantity
import Systems

/// Allocation to viewers when bandwidth is no constraint: the requested encoding of each source.
package struct SignalPolicy: AllocationPolicy {
  package init() {}

  package func allocate(
    budget: RateLimit, cap: RateLimit, wishes: [Subscription], _ margin: inout BudgetMargin
  ) -> [Grant] {
    wishes.map { wish in
      if let nothing = Grant.excluded(wish) { return nothing }
      let video = SignalVideo(wish, wish.offers, requested: wish.demand.maximumLines ?? 1)
      return Grant.unhindered(wish, video.ideal.map { wish.offers[video.encodings[$0].layer] })
    }
  }
}
