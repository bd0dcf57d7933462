package import Allocation
import Ladder
package import Quantity

/// What consumers get where bandwidth never lacks: their preferred layers or the highest below them.
package struct MediasoupPolicy: AllocationPolicy {
  package init() {}

  package func allocate(budget: BitRate, cap: BitRate, wishes: [Wish]) -> [Grant] {
    wishes.map { wish in
      guard wish.absence == nil, wish.visibility == .onScreen else {
        return Grant(source: wish.source, layer: nil, limitation: wish.absence ?? .offScreen)
      }
      return Grant.unhindered(wish, Self.ideal(of: wish))
    }
  }

  private static func ideal(of wish: Wish) -> Layer? {
    guard let ceiling = wish.demand.ceiling else { return wish.offers.last }
    return wish.offers.last { layer in
      layer.id.encoding < ceiling.encoding
        || layer.id.encoding == ceiling.encoding && layer.id.temporal <= ceiling.temporal
    }
  }
}
