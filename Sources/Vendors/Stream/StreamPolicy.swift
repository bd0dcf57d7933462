package import Allocation
package import Ladder
package import Quantity
import Systems

/// GetStream's allocation: the tile's size selects the layer.
///
/// The SFU is closed source; the selection is LiveKit's open-source rule: the smallest encoding with at least 90 % of
/// the tile's height (for portrait pictures, its width), else the largest. When bandwidth is short, our model applies:
/// every visible tile gets its lowest layer first, in order, then all are upgraded one layer at a time; a tile whose
/// lowest layer does not fit is paused (`subscriberVideoPause`).
package struct StreamPolicy: AllocationPolicy {
  package init() {}

  package func allocate(
    budget: RateLimit, cap: RateLimit, wishes: [Subscription], _ margin: inout BudgetMargin
  ) -> [Grant] {
    let candidates = wishes.map(Self.candidateLayers)
    // Index of the selected layer; -1 for none.
    var selected = [Int](repeating: -1, count: wishes.count)
    let allowed = min(budget, cap)
    var left = allowed
    // Beyond the cap, a larger budget does not change the allocation.
    var fit = BudgetMargin()
    var hasUpgraded = true
    while hasUpgraded {
      hasUpgraded = false
      for index in wishes.indices where selected[index] + 1 < candidates[index].count {
        let step = candidates[index].step(above: selected[index])
        guard fit.fits(step, within: left) else { continue }
        left = left.leaving(step)
        selected[index] += 1
        hasUpgraded = true
      }
    }
    if allowed == budget, let rise = fit.rise { margin.note(rise: rise) }
    return wishes.indices.map { index in
      let wish = wishes[index]
      if wish.visibility != .onScreen, candidates[index].isEmpty {
        return Grant(source: wish.source, layer: nil, limitation: wish.absence ?? .offScreen)
      }
      let layer = selected[index] >= 0 ? candidates[index][selected[index]] : nil
      guard selected[index] + 1 < candidates[index].count else { return .unhindered(wish, layer) }
      return .short(
        wish, layer, missing: left.excess(of: candidates[index].step(above: selected[index])),
        room: cap.room(above: allowed))
    }
  }

  /// Lists the layers up to the tile's target, ascending in bit rate; none for a tile that is not visible.
  private static func candidateLayers(of wish: Subscription) -> [Layer] {
    guard wish.visibility == .onScreen else { return [] }
    let allowed = wish.passingOffers
    guard let top = layer(forTile: wish.maximum.resolution, among: allowed)?.format.resolution else {
      return []
    }
    let fastest = wish.maximum.milliFramesPerSecond
    return allowed.ascending {
      $0.format.resolution.pixels <= top.pixels && $0.format.milliFramesPerSecond <= fastest
    }
  }

  /// Returns the smallest layer with a height of at least trunc(0.9 x tile height), else the largest; for portrait
  /// pictures, compares widths.
  package static func layer(forTile tile: Resolution, among layers: [Layer]) -> Layer? {
    guard let largest = layers.last else { return nil }
    let isPortrait = largest.format.resolution.isPortrait
    let enough = (isPortrait ? tile.width : tile.height) * 9 / 10
    return layers.first {
      (isPortrait ? $0.format.resolution.width : $0.format.resolution.height) >= enough
    } ?? largest
  }
}
