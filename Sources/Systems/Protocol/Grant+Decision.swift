package import Allocation
package import Ladder
import Quantity

extension Grant {
  /// Creates the grant of a subscription from a rule's decision, with its limitation.
  ///
  /// - Parameter layer: the layer decided on, as the grant names it; `nil` for nothing.
  package init(_ decision: SourceDecision, of wish: Subscription, _ layer: Layer?) {
    if let exclusion = wish.exclusion {
      self = Grant(source: wish.source, layer: layer, limitation: exclusion)
    } else if let hindrance = decision.hindrance {
      self = Grant(
        source: wish.source, layer: layer, limitation: hindrance,
        missing: hindrance == .bandwidth ? decision.missing : .zero)
    } else {
      self = .unhindered(tile: wish, layer)
    }
    (rank, taken) = (decision.rank, decision.bitrate)
  }
}
