package import Allocation
import Quantity
package import Systems

/// Decisions of the viewers' servers, as the tables report them.
extension ViewerServers {
  /// Returns the decisions of a viewer's server on its subscriptions, in their order.
  package func decisions(on wishes: [Subscription], of viewer: Int) -> [TileDecision] {
    let order = servedOrder(viewer)
    return wishes.map { wish in
      let decision = decision(on: wish.source, viewer)
      return TileDecision(
        grant: grant(for: wish, viewer), rank: (order.firstIndex(of: wish.source) ?? order.count) + 1,
        bitrate: decision?.bitrate ?? .zero, rule: decision?.rule ?? "")
    }
  }
}
