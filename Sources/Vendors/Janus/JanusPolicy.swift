package import Allocation
package import Ladder
package import Quantity
import Systems

/// An SFU without bandwidth allocation: each viewer selects an encoding and gets it regardless of its downlink.
///
/// Janus' videoroom works this way (`substream` and `temporal` of its configure request); it does not signal demand to
/// publishers, so they send all encodings. If the selected encoding does not arrive, the selection stays, and a lower
/// one is relayed until it returns (``ForwardingRules/FallbackRule``).
package struct JanusPolicy: AllocationPolicy {
  package init() {}

  package func allocate(
    budget: RateLimit, cap: RateLimit, wishes: [Subscription], _ margin: inout BudgetMargin
  ) -> [Grant] {
    wishes.map { wish in
      guard wish.absence == nil else { return Grant.unhindered(wish, nil) }
      guard let selected = Self.selection(of: wish) else { return Grant.unhindered(wish, nil) }
      let relayed = wish.offers.last {
        $0.id.encoding <= selected.id.encoding && $0.id.temporal <= selected.id.temporal
      }
      var grant = Grant.unhindered(wish, relayed ?? selected)
      grant.layer = selected
      return grant
    }
  }

  /// Returns the layer that a viewer's client names: its explicit choice, else the highest within the requested size,
  /// or for smaller requests the lowest encoding at the requested frame rate.
  package static func selection(of wish: Subscription) -> Layer? {
    if let ceiling = wish.demand.ceiling {
      return wish.ladder.last {
        $0.id.encoding <= ceiling.encoding && $0.id.temporal <= ceiling.temporal
      } ?? wish.ladder.first
    }
    return wish.bestWithinRequest
      ?? wish.ladder.last {
        $0.id.encoding == wish.ladder.first?.id.encoding
          && $0.format.milliFramesPerSecond <= wish.requested.milliFramesPerSecond
      } ?? wish.ladder.first
  }
}
