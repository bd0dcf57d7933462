package import Allocation
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
      // Where only one stream is sent, asking for the other has no effect.
      guard wish.wantsLowStream, low.id != high.id else { return .unhindered(wish, high) }
      let limitation: Limitation = wish.absence ?? (wish.visibility == .offScreen ? .offScreen : .policy)
      return Grant(source: wish.source, layer: low, limitation: limitation)
    }
  }
}
