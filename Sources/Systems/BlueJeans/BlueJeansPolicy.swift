package import Allocation
import Ladder
package import Quantity

/// BlueJeans' best-effort allocation: priority groups in order; within a group the entry with the lowest layer is
/// upgraded first.
///
/// The order of priorities, sharing among equals and adaptation in both directions are documented; the server's
/// algorithm is not, so this is our model: in each group the entries are ordered by (layer index, position in the list),
/// and the first whose next layer fits the remaining budget is upgraded, until none fits. Layers are never skipped; the
/// remaining budget passes to the next group.
package struct BlueJeansPolicy: AllocationPolicy {
  private let parameters: BlueJeansParameters

  package init(parameters: BlueJeansParameters = .init()) { self.parameters = parameters }

  package func allocate(budget: BitRate, cap: BitRate, wishes: [Wish]) -> [Grant] {
    let candidates = wishes.map(candidateLayers)
    // Index of the selected layer; -1 for none.
    var selected = [Int](repeating: -1, count: wishes.count)
    let allowed = min(budget, cap, parameters.receiveCap)
    var left = allowed
    let isUnlimited = allowed == .unlimited
    let groups = Self.groups(wishes)
    if parameters.floor {
      Self.upgrade(wishes.indices.map { $0 }, candidates, upTo: 0, &selected, &left, isUnlimited)
    }
    for group in groups { Self.upgrade(group, candidates, upTo: .max, &selected, &left, isUnlimited) }
    return wishes.indices.map { index in
      let layer = selected[index] >= 0 ? candidates[index][selected[index]] : nil
      let next = selected[index] + 1
      guard next < candidates[index].count else { return .unhindered(wishes[index], layer) }
      let step = candidates[index][next].bitrate - (layer?.bitrate ?? .zero)
      return .short(wishes[index], layer, missing: step - left, headroom: budget - allowed)
    }
  }

  /// Indices of the wishes by priority; those without a priority form one group.
  private static func groups(_ wishes: [Wish]) -> [[Int]] {
    let order: [Priority?] = [.high, .medium, .low, nil]
    return order.map { priority in wishes.indices.filter { wishes[$0].priority == priority } }
  }

  private static func upgrade(
    _ group: [Int], _ candidates: [[Layer]], upTo limit: Int, _ selected: inout [Int], _ left: inout BitRate,
    _ isUnlimited: Bool
  ) {
    while true {
      var best: Int?
      for index in group where selected[index] + 1 < candidates[index].count && selected[index] < limit {
        let step = cost(candidates[index], selected[index])
        guard isUnlimited || step <= left else { continue }
        if let lowest = best, selected[lowest] <= selected[index] { continue }
        best = index
      }
      guard let chosen = best else { return }
      if !isUnlimited { left -= cost(candidates[chosen], selected[chosen]) }
      selected[chosen] += 1
    }
  }

  /// Additional bit rate of the next layer.
  private static func cost(_ layers: [Layer], _ index: Int) -> BitRate {
    layers[index + 1].bitrate - (index >= 0 ? layers[index].bitrate : .zero)
  }

  /// The layers that can be allocated to a wish: within its maximum, ascending in bit rate. Base layers above 90p (the
  /// 7 fps qualities) are included only if nothing faster is requested: no quality between 90p15 and 180p15 is
  /// documented.
  private func candidateLayers(of wish: Wish) -> [Layer] {
    let smallest = wish.offers.first?.format.resolution.shorterSide ?? 0
    let wantsSlow = wish.maximum.milliFramesPerSecond <= 7500
    let substitute = parameters.missing360p == .larger ? Self.substitute(for: wish) : nil
    return wish.offers.filter { layer in
      if layer.id == substitute { return true }
      guard layer.format.isWithin(wish.maximum) else { return false }
      if layer.format.resolution.shorterSide == smallest || wantsSlow { return true }
      return layer.id.temporal > 0 || layer.format.milliFramesPerSecond > 7500
    }
  }

  /// The 720p15 layer that substitutes for a missing 360p layer; `nil` if the sender has 360p, if the request is below
  /// 360p15 or for 720p, or behind a closed gate.
  private static func substitute(for wish: Wish) -> LayerID? {
    let requested = wish.maximum
    guard wish.gate == nil,
      (Resolution.p360.height..<Resolution.p720.height).contains(requested.resolution.shorterSide),
      requested.milliFramesPerSecond >= 15_000
    else { return nil }
    let hasMedium = wish.ladder.contains {
      $0.format.resolution.shorterSide > Resolution.p180.height
        && $0.format.resolution.shorterSide <= requested.resolution.shorterSide
    }
    guard !hasMedium else { return nil }
    return wish.offers.last {
      $0.format.resolution.shorterSide == Resolution.p720.height && $0.format.milliFramesPerSecond <= 15_000
    }?.id
  }
}
