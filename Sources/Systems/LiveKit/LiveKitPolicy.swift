package import Allocation
import Ladder
package import Quantity

/// LiveKit's allocation while no track is deficient (its state STABLE): every track has its optimal layer, whatever the
/// bandwidth (`streamallocator.go`, `forwarder.go`).
///
/// The highest encoding that is available within the viewer's settings; the highest of all where none is.
package struct LiveKitPolicy: AllocationPolicy {
  package init() {}

  package func allocate(budget: BitRate, cap: BitRate, wishes: [Wish]) -> [Grant] { wishes.map(Self.grant) }

  private static func grant(_ wish: Wish) -> Grant {
    guard wish.visibility == .onScreen, wish.absence == nil else {
      return Grant(source: wish.source, layer: nil, limitation: wish.absence ?? .offScreen)
    }
    let layer =
      wish.offers.last { $0.format.isWithin(wish.maximum) } ?? (wish.gate == nil ? wish.offers.last : nil)
    return grant(layer, wish)
  }

  /// A layer that bandwidth did not limit.
  static func grant(_ layer: Layer?, _ wish: Wish) -> Grant {
    var grant = Grant.unhindered(wish, layer)
    // That a tile takes a slightly smaller picture is no cap that somebody has set.
    if grant.limitation == .requestCap, wish.gate == nil, wish.window == nil {
      let top = wish.ladder.last?.format ?? wish.maximum
      grant.limitation = wish.requested.isWithin(top) ? .layerMissing : .sender
    }
    return grant
  }
}
