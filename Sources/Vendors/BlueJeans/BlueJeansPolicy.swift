package import Allocation
import Ladder
package import Quantity
import Systems

/// BlueJeans' best-effort allocation: priority groups in order; within a group the entry with the lowest layer is
/// upgraded first.
///
/// The order of priorities, sharing among equals and adaptation in both directions are documented; the server's
/// algorithm is not, so this is our model. In each group, the entries are ordered by (layer index, position in the
/// list), and the first whose next layer fits the remaining budget is upgraded, until none fits. Layers are never
/// skipped. The remaining budget passes to the next group, where no entry is upgraded above one of higher priority
/// whose next layer only the budget denies (``ceilings(of:_:_:behind:_:)``): a distinct and higher priority is meant to
/// guarantee a higher resolution.
package struct BlueJeansPolicy: AllocationPolicy {
  private let parameters: BlueJeansParameters

  package init(parameters: BlueJeansParameters = .init()) { self.parameters = parameters }

  package func allocate(
    budget: RateLimit, cap: RateLimit, wishes: [Subscription], _ margin: inout BudgetMargin
  ) -> [Grant] {
    let candidates = wishes.map { candidateLayers(of: $0) }
    // Index of the selected layer; -1 for none.
    var selected = [Int](repeating: -1, count: wishes.count)
    let allowed = min(budget, cap)
    var left = allowed
    // Beyond the cap, a larger budget does not change the allocation.
    var fit = BudgetMargin()
    var ceilings = [Ceiling](repeating: Ceiling(layer: 0), count: wishes.count)
    if parameters.floor {
      Self.upgrade(wishes.indices.map { $0 }, candidates, upTo: ceilings, &selected, &left, &fit)
    }
    var denied: [Int] = []
    for group in wishes.indicesByPriority {
      Self.ceilings(of: group, wishes, candidates, behind: denied, selected, &ceilings)
      Self.upgrade(group, candidates, upTo: ceilings, &selected, &left, &fit)
      denied += group.filter { selected[$0] + 1 < candidates[$0].count }
    }
    if allowed == budget, let rise = fit.rise { margin.note(rise: rise) }
    let wishes = wishes.span
    return wishes.indices.map { index in
      let layer = selected[index] >= 0 ? candidates[index][selected[index]] : nil
      guard selected[index] + 1 < candidates[index].count else { return .unhindered(wishes[index], layer) }
      var step = candidates[index].step(above: selected[index])
      if selected[index] >= ceilings[index].layer, let other = ceilings[index].holder {
        step = max(step, candidates[other].step(above: selected[other]))
      }
      return .short(wishes[index], layer, missing: left.excess(of: step), room: cap.room(above: allowed))
    }
  }

  package func order(of wishes: [Subscription]) -> [Int] { wishes.indicesByPriority.flatMap { $0 } }

  /// Upper limit of an entry's upgrades.
  private struct Ceiling {
    /// Index of its highest layer; -1 for none.
    var layer: Int
    /// Entry of a higher priority that this one must not exceed.
    var holder: Int?
  }

  /// Limits each entry of a group to the allocation of higher-priority entries whose next layer the budget denies, if
  /// they ask for at least as much.
  ///
  /// A higher-priority entry that asks for more and does not even get its lowest layer holds nothing down [our model: a
  /// screen share or a sender without small layers would empty the screen]. An entry that has everything its source can
  /// send is not in `denied`.
  private static func ceilings(
    of group: [Int], _ wishes: [Subscription], _ candidates: [[Layer]], behind denied: [Int],
    _ selected: [Int],
    _ ceilings: inout [Ceiling]
  ) {
    for index in group {
      ceilings[index] = Ceiling(layer: .max)
      for other in denied {
        let requested = wishes[index].requested
        let most = selected[other] >= 0 ? candidates[other][selected[other]].format : nil
        guard
          most == nil ? requested == wishes[other].requested : requested.isWithin(wishes[other].requested)
        else { continue }
        let above = candidates[index].firstIndex { layer in most.map { layer.format.exceeds($0) } ?? true }
        guard let above, above - 1 < ceilings[index].layer else { continue }
        ceilings[index] = Ceiling(layer: above - 1, holder: other)
      }
    }
  }

  private static func upgrade(
    _ group: [Int], _ candidates: [[Layer]], upTo ceilings: [Ceiling], _ selected: inout [Int],
    _ left: inout RateLimit, _ margin: inout BudgetMargin
  ) {
    func risers() -> [Riser] { group.compactMap { Riser($0, candidates, upTo: ceilings, selected) } }
    // Entries in the group's order, except those that the budget has denied a layer.
    var open = risers()
    while let lowest = open.lazy.map(\.layer).min() {
      var kept = 0
      var leavesMore = false
      for place in open.indices {
        var riser = open[place]
        if riser.layer == lowest {
          guard margin.fits(riser.step, within: left) else { continue }
          selected[riser.index] += 1
          left = left.leaving(riser.step)
          leavesMore = riser.step < .zero
          if leavesMore { break }
          guard let next = Riser(riser.index, candidates, upTo: ceilings, selected) else { continue }
          riser = next
        }
        open[kept] = riser
        kept += 1
      }
      // A layer with a lower bit rate than the one below it leaves more for the others.
      if leavesMore { open = risers() } else { open.removeSubrange(kept...) }
    }
  }

  /// An entry that may be upgraded by a layer.
  private struct Riser {
    let index: Int
    /// Index of its layer; -1 for none.
    let layer: Int
    /// Additional bit rate of the next layer.
    let step: BitRate

    init?(_ index: Int, _ candidates: [[Layer]], upTo ceilings: [Ceiling], _ selected: [Int]) {
      let layer = selected[index]
      guard layer + 1 < candidates[index].count, layer < ceilings[index].layer else { return nil }
      self.index = index
      self.layer = layer
      step = candidates[index].step(above: layer)
    }
  }

  /// Lists the layers that can be allocated to a subscription: within its maximum, not below its minimum if the sender
  /// has such layers, ascending in bit rate. Base layers above the smallest picture (the 7 fps qualities) are included
  /// only if nothing faster is sent within the request: no quality between 90p15 and 180p15 is documented.
  private func candidateLayers(of wish: Subscription) -> [Layer] {
    var offers = wish.offers
    if let minimum = wish.minimum {
      let sufficient = offers.filter { minimum.isWithin($0.format) }
      if !sufficient.isEmpty { offers = sufficient }
    }
    let smallest = offers.first?.format.resolution.lines ?? 0
    let maximum = Self.documentedSubstitute(for: wish) ?? wish.maximum
    let takesSlow =
      maximum.milliFramesPerSecond <= 7500
      || !wish.ladder.contains {
        $0.format.milliFramesPerSecond > 7500
          && $0.format.milliFramesPerSecond <= maximum.milliFramesPerSecond
      }
    let substitute = parameters.missing360p == .larger ? Self.substitute(for: wish) : nil
    let lines = maximum.resolution.lines
    var candidates: [Layer] = []
    candidates.reserveCapacity(offers.count)
    for layer in offers {
      let format = layer.format
      let own = format.resolution.lines
      let isWithin = own <= lines && format.milliFramesPerSecond <= maximum.milliFramesPerSecond
      let isFast = layer.id.temporal > 0 || format.milliFramesPerSecond > 7500
      if isWithin && (own == smallest || isFast || takesSlow) || layer.id == substitute {
        candidates.append(layer)
      }
    }
    return candidates.isEmpty ? Self.leastLayers(for: wish) : candidates
  }

  /// Returns the replacement for a thumbnail that the sender does not have: the sender's 180p, at the requested frame
  /// rates or else the slowest [our model: such tiles would otherwise stay dark]. No larger encoding replaces it.
  private static func leastLayers(for wish: Subscription) -> [Layer] {
    guard let least = wish.ladder.first,
      !wish.ladder.contains(where: { $0.format.isWithin(wish.maximum) }),
      least.format.resolution.lines <= Resolution.p180.lines
    else { return [] }
    let offers = wish.offers.filter { $0.id.encoding == least.id.encoding }
    let slow = offers.filter { $0.format.milliFramesPerSecond <= wish.maximum.milliFramesPerSecond }
    return slow.isEmpty ? Array(offers.prefix(1)) : slow
  }

  /// Returns the documented replacement for 360p7 and 720p7 (iOS SDK): the next smaller size at 30 fps and about the
  /// same bit rate. Our model: only for a sender that has no encoding of the requested size; `nil` for any other.
  private static func documentedSubstitute(for wish: Subscription) -> VideoFormat? {
    guard wish.maximum.milliFramesPerSecond == 7500 else { return nil }
    let smaller: Resolution
    switch wish.maximum.resolution.lines {
    case Resolution.p360.lines: smaller = .p180
    case Resolution.p720.lines: smaller = .p360
    default: return nil
    }
    let hasSize = wish.ladder.contains {
      $0.format.resolution.lines > smaller.lines
        && $0.format.resolution.lines <= wish.maximum.resolution.lines
    }
    return hasSize ? nil : VideoFormat(smaller, framesPerSecond: 30)
  }

  /// Returns the 720p15 layer that substitutes for a missing 360p layer; `nil` if the sender has 360p, if the request
  /// is below 360p15 or for 720p, or if a gate is closed.
  private static func substitute(for wish: Subscription) -> LayerID? {
    let requested = wish.maximum
    guard wish.gate == nil,
      (Resolution.p360.height..<Resolution.p720.height).contains(requested.resolution.lines),
      requested.milliFramesPerSecond >= 15_000
    else { return nil }
    let hasMedium = wish.ladder.contains {
      $0.format.resolution.lines > Resolution.p180.lines
        && $0.format.resolution.lines <= requested.resolution.lines
    }
    guard !hasMedium else { return nil }
    return wish.offers.last {
      $0.format.resolution.lines == Resolution.p720.lines && $0.format.milliFramesPerSecond <= 15_000
    }?.id
  }
}

extension VideoFormat {
  /// Checks whether the format is larger, or as large at a higher frame rate.
  fileprivate func exceeds(_ other: VideoFormat) -> Bool {
    let lines = resolution.lines
    let otherLines = other.resolution.lines
    return lines != otherLines ? lines > otherLines : milliFramesPerSecond > other.milliFramesPerSecond
  }
}
