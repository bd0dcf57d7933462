import Ladder
package import Quantity

/// An SFU without bandwidth allocation: each viewer names the encoding that it wants and gets it, whatever its link
/// carries.
///
/// Janus' videoroom does so (`substream` and `temporal` of its configure request); it also never tells publishers what
/// is wanted, so that they send every encoding.
package struct JanusPolicy: AllocationPolicy {
  package init() {}

  package func allocate(budget: BitRate, cap: BitRate, wishes: [Wish]) -> [Grant] {
    wishes.map { wish in
      guard wish.absence == nil else { return Grant.unhindered(wish, nil) }
      let named = wish.ladder.last { $0.format.isWithin(wish.maximum) } ?? wish.ladder.first
      return Grant(source: wish.source, layer: named, limitation: named == nil ? .layerMissing : .none)
    }
  }
}
