package import Allocation
import Ladder
package import Quantity
import Systems

/// Agora's dual stream: each subscription gets the stream type it requests, regardless of the budget.
///
/// Congestion is handled by ``AgoraFallback`` in the client, which then requests low streams or none.
package struct AgoraPolicy: AllocationPolicy {
  package init() {}

  package func allocate(
    budget: RateLimit, cap: RateLimit, wishes: [Subscription], _ margin: inout BudgetMargin
  ) -> [Grant] {
    wishes.map { wish in
      let lowest = wish.offers.first?.id.encoding
      guard wish.visibility != .hidden, let low = wish.offers.last(where: { $0.id.encoding == lowest }),
        let high = wish.offers.last
      else {
        return Grant(source: wish.source, layer: nil, limitation: wish.absence ?? .policy)
      }
      // If only one stream is sent, requesting the other has no effect.
      guard wish.wantsLowStream, low.id != high.id else {
        guard wish.isGated(high) else { return .unhindered(wish, high) }
        return Grant(source: wish.source, layer: nil, limitation: .requestCap)
      }
      // A gate allows no more than a fallback, whatever the uplink now carries.
      let isGated = wish.ladder.contains(where: wish.isGated)
      let absence = isGated && wish.absence == .bandwidth ? nil : wish.absence
      let limitation: Limitation =
        absence ?? (wish.visibility == .offScreen ? .offScreen : isGated ? .requestCap : .policy)
      return Grant(source: wish.source, layer: low, limitation: limitation)
    }
  }
}
