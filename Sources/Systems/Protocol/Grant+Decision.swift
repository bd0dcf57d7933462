package import Allocation
package import Ladder
import Quantity

extension Grant {
  /// What a rule's decision means for a wish, and what limits it.
  ///
  /// - Parameter layer: what was decided, as the grant is to have it; `nil` for nothing.
  package init(_ decision: SourceDecision, of wish: Wish, _ layer: Layer?) {
    if let exclusion = wish.exclusion {
      self = Grant(source: wish.source, layer: layer, limitation: exclusion)
    } else if let hindrance = decision.hindrance {
      self = Grant(
        source: wish.source, layer: layer, limitation: hindrance,
        missing: hindrance == .bandwidth ? decision.missing : .zero)
    } else {
      self = .unhindered(tile: wish, layer)
    }
  }
}
