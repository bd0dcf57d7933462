import Ladder
package import Quantity

/// Agora's dual stream: each wish gets the high or the low stream as it asks; the budget does not choose.
///
/// A downlink that is too narrow is the business of ``AgoraFallback``, whose level the driver turns into wishes for
/// low streams or none.
package struct AgoraPolicy: AllocationPolicy {
  package init() {}

  package func allocate(budget: BitRate, cap: BitRate, wishes: [Wish]) -> [Grant] {
    wishes.map { wish in
      guard wish.visibility != .hidden, let low = wish.offers.first, let high = wish.offers.last else {
        return Grant(source: wish.source, layer: nil, limitation: wish.absence ?? .policy)
      }
      guard wish.wantsLowStream else { return .unhindered(wish, high) }
      let limitation: Limitation =
        wish.absence ?? (wish.visibility == .offScreen ? .offScreen : low.id == high.id ? .none : .policy)
      return Grant(source: wish.source, layer: low, limitation: limitation)
    }
  }
}
