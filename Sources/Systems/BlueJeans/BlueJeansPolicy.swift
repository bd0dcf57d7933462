package import Allocation
import Ladder
package import Quantity

/// BlueJeans' best effort: priority groups in order; within a group the entry on the lowest rung climbs first.
///
/// The order of priorities, the sharing among equals and the adaptation in both directions are documented; how the
/// server shares is not, so this is our model: in each group the entries are ordered by (rung, place in the list), and
/// the first whose next rung fits the rest of the budget climbs it, until none does. Rungs are never skipped; what is
/// left passes to the next group.
package struct BlueJeansPolicy: AllocationPolicy {
  private let parameters: BlueJeansParameters

  package init(parameters: BlueJeansParameters = .init()) { self.parameters = parameters }

  package func allocate(budget: BitRate, cap: BitRate, wishes: [Wish]) -> [Grant] {
    let ladders = wishes.map(rungs)
    var rungs = [Int](repeating: -1, count: wishes.count)
    let allowed = min(budget, cap, parameters.receiveCap)
    var left = allowed
    let isLimitless = allowed == .unlimited
    let groups = Self.groups(wishes)
    if parameters.floor {
      Self.climb(wishes.indices.map { $0 }, ladders, upTo: 0, &rungs, &left, isLimitless)
    }
    for group in groups { Self.climb(group, ladders, upTo: .max, &rungs, &left, isLimitless) }
    return wishes.indices.map { index in
      let layer = rungs[index] >= 0 ? ladders[index][rungs[index]] : nil
      let next = rungs[index] + 1
      guard next < ladders[index].count else { return .unhindered(wishes[index], layer) }
      let step = ladders[index][next].bitrate - (layer?.bitrate ?? .zero)
      return .short(wishes[index], layer, missing: step - left, headroom: budget - allowed)
    }
  }

  /// The wishes' places by priority; those without one are a single group of equals.
  private static func groups(_ wishes: [Wish]) -> [[Int]] {
    let order: [Priority?] = [.high, .medium, .low, nil]
    return order.map { priority in wishes.indices.filter { wishes[$0].priority == priority } }
  }

  private static func climb(
    _ group: [Int], _ ladders: [[Layer]], upTo limit: Int, _ rungs: inout [Int], _ left: inout BitRate,
    _ isLimitless: Bool
  ) {
    while true {
      var best: Int?
      for index in group where rungs[index] + 1 < ladders[index].count && rungs[index] < limit {
        let step = cost(ladders[index], rungs[index])
        guard isLimitless || step <= left else { continue }
        if let present = best, rungs[present] <= rungs[index] { continue }
        best = index
      }
      guard let chosen = best else { return }
      if !isLimitless { left -= cost(ladders[chosen], rungs[chosen]) }
      rungs[chosen] += 1
    }
  }

  private static func cost(_ ladder: [Layer], _ rung: Int) -> BitRate {
    ladder[rung + 1].bitrate - (rung >= 0 ? ladder[rung].bitrate : .zero)
  }

  /// The layers that a wish climbs: within its maximum, rising in rate. Base layers above 90p (7 fps qualities) take
  /// part only when nothing faster is asked for: no quality between 90p15 and 180p15 is documented.
  private func rungs(of wish: Wish) -> [Layer] {
    let smallest = wish.offers.first?.format.resolution.height ?? 0
    let wantsSlow = wish.maximum.milliFramesPerSecond <= 7500
    let substitute = parameters.missing360p == .larger ? Self.substitute(for: wish) : nil
    return wish.offers.filter { layer in
      if layer.id == substitute { return true }
      guard layer.format.isWithin(wish.maximum) else { return false }
      if layer.format.resolution.height == smallest || wantsSlow { return true }
      return layer.id.temporal > 0 || layer.format.milliFramesPerSecond > 7500
    }
  }

  /// The 720p layer of 15 frames per second that stands in for a 360p layer which the sender does not make; `nil`
  /// where the sender makes one, where nothing larger than 180p at 15 frames per second is asked for, and behind a
  /// closed gate.
  private static func substitute(for wish: Wish) -> LayerID? {
    let asked = wish.maximum
    guard wish.gate == nil,
      (Resolution.p360.height..<Resolution.p720.height).contains(asked.resolution.height),
      asked.milliFramesPerSecond >= 15_000
    else { return nil }
    let isMade = wish.ladder.contains {
      $0.format.resolution.height > Resolution.p180.height
        && $0.format.resolution.height <= asked.resolution.height
    }
    guard !isMade else { return nil }
    return wish.offers.last {
      $0.format.resolution.height == Resolution.p720.height && $0.format.milliFramesPerSecond <= 15_000
    }?.id
  }
}
