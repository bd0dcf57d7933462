package import Allocation
import Ladder
package import Quantity
import Systems

/// Allocation to a receiver without any shortage: the highest layer within its constraint, which the bridge signals to
/// publishers, or the lowest encoding if none is within it.
package struct JitsiPolicy: AllocationPolicy {
  package init() {}

  package func allocate(
    budget: RateLimit, cap: RateLimit, wishes: [Subscription], _ margin: inout BudgetMargin
  ) -> [Grant] {
    wishes.map(Self.grant)
  }

  private static func grant(_ wish: Subscription) -> Grant {
    if let nothing = Grant.excluded(wish) { return nothing }
    guard wish.maximum.resolution.lines > 0 else {
      return Grant(source: wish.source, layer: nil, limitation: .policy)
    }
    let within = wish.offers.last { $0.format.resolution.lines <= wish.maximum.resolution.lines }
    let lowest = wish.offers.first?.id.encoding
    return .unhindered(wish, within ?? wish.offers.last { $0.id.encoding == lowest })
  }
}
