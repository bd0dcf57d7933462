package import Allocation
import Ladder
package import Quantity
import Systems

/// LiveKit's allocation while no track is deficient (its state STABLE): every track has its optimal layer, whatever the
/// bandwidth (`streamallocator.go`, `forwarder.go`).
///
/// The optimal layer is the highest encoding available within the viewer's settings, or the highest of all if none is.
package struct LiveKitPolicy: AllocationPolicy {
  package init() {}

  package func allocate(
    budget: RateLimit, cap: RateLimit, wishes: [Subscription], _ margin: inout BudgetMargin
  ) -> [Grant] {
    wishes.map(Self.grant)
  }

  private static func grant(_ wish: Subscription) -> Grant {
    if wish.absence != nil || !wish.demand.isKeptHidden, let nothing = Grant.excluded(wish) { return nothing }
    let offers = wish.passingOffers
    let best = offers.last { $0.format.isWithin(wish.maximum) && wish.demand.selects($0.id) }
    return .unhindered(tile: wish, best ?? offers.last)
  }
}
