package import Allocation
package import Ladder
package import Quantity

/// GetStream's rule: the tile's size chooses the layer.
///
/// The SFU is closed; the choice is LiveKit's open rule: the smallest picture whose height reaches nine tenths of the
/// tile's, else the largest. When bandwidth is short, our model: every visible tile gets its lowest layer first, in
/// order, then all climb a layer at a time; a tile whose lowest layer does not fit is paused
/// (`subscriberVideoPause`).
package struct StreamPolicy: AllocationPolicy {
  package init() {}

  package func allocate(budget: BitRate, cap: BitRate, wishes: [Wish]) -> [Grant] {
    let ladders = wishes.map(Self.rungs)
    var rungs = [Int](repeating: -1, count: wishes.count)
    let allowed = min(budget, cap)
    var left = allowed
    var isClimbing = true
    while isClimbing {
      isClimbing = false
      for index in wishes.indices where rungs[index] + 1 < ladders[index].count {
        let step = Self.cost(ladders[index], rungs[index])
        guard allowed == .unlimited || step <= left else { continue }
        if allowed != .unlimited { left -= step }
        rungs[index] += 1
        isClimbing = true
      }
    }
    return wishes.indices.map { index in
      let wish = wishes[index]
      if wish.visibility != .onScreen, ladders[index].isEmpty {
        return Grant(source: wish.source, layer: nil, limitation: wish.absence ?? .offScreen)
      }
      let layer = rungs[index] >= 0 ? ladders[index][rungs[index]] : nil
      guard rungs[index] + 1 < ladders[index].count else { return .unhindered(wish, layer) }
      return .short(
        wish, layer, missing: Self.cost(ladders[index], rungs[index]) - left, headroom: budget - allowed)
    }
  }

  private static func cost(_ ladder: [Layer], _ rung: Int) -> BitRate {
    ladder[rung + 1].bitrate - (rung >= 0 ? ladder[rung].bitrate : .zero)
  }

  /// The layers up to the one for the tile; none for a tile that is not visible.
  private static func rungs(of wish: Wish) -> [Layer] {
    guard wish.visibility == .onScreen else { return [] }
    let top = height(forTileHeight: wish.maximum.resolution.height, among: wish.offers)
    let rising = wish.offers.filter {
      $0.format.resolution.height <= top
        && $0.format.milliFramesPerSecond <= wish.maximum.milliFramesPerSecond
    }
    var climb: [Layer] = []
    for layer in rising where climb.last.map({ layer.bitrate > $0.bitrate }) ?? true { climb.append(layer) }
    return climb
  }

  /// The picture height for a tile: the smallest that reaches trunc(0.9 x tile height), else the largest.
  package static func height(forTileHeight tile: Int, among layers: [Layer]) -> Int {
    let enough = tile * 9 / 10
    return layers.first { $0.format.resolution.height >= enough }?.format.resolution.height
      ?? layers.last?.format.resolution.height ?? 0
  }
}
