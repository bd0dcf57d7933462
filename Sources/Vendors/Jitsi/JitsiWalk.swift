import Allocation
import Systems

/// Step that gave a source its layer or denied it one; the `rule` in `decisions.csv`.
enum JitsiStep: String, BitwiseCopyable {
  /// The stage's climb to its preferred layer, which all sources after it wait for.
  case stage
  /// One more layer in a round.
  case round
  /// A higher layer that costs no more.
  case cheaper
  /// A layer beyond the budget.
  case oversend
  /// The constraint is 0, or there is no video.
  case off
  case lastN = "last-n"
}

/// One run of the bridge's allocation (`BandwidthAllocator.kt`, `SingleSourceAllocation.kt`).
///
/// In each round, every source in turn takes one more layer if that costs strictly less than what is left, until a
/// round leaves the budget unchanged. A source on the stage climbs straight to its preferred layer, for which an equal
/// cost fits too, and until it gets there, each round ends with it. The first source may exceed the budget if it is a
/// screen share on the stage.
struct JitsiWalk {
  struct Source: BitwiseCopyable {
    /// Index of the subscription.
    var index: Int
    var layers: JitsiLayers
    var isOnStage: Bool
    /// Index of the current layer; -1 for none.
    var target = -1
    /// Cost of the current layer [bit/s].
    var cost: Int64 = 0
    var step: JitsiStep

    var isBelowPreferred: Bool { target < layers.preferred }
  }

  /// Sources in the order in which they are served.
  private(set) var sources: [Source]
  /// Layers under consideration, source after source.
  let entries: [JitsiLayers.Entry]
  private(set) var margin = BudgetMargin()
  /// Remaining budget [bit/s]; negative if it is exceeded.
  private(set) var left: Int64
  private let maximumOversend: Int64

  init(_ sources: [Source], _ entries: [JitsiLayers.Entry], budget: Int64, maximumOversend: Int64) {
    self.sources = sources
    self.entries = entries
    left = budget
    self.maximumOversend = maximumOversend
  }

  mutating func run() {
    var before: Int64?
    while before != left {
      before = left
      for place in sources.indices where sources[place].layers.count > 0 {
        let source = improved(sources[place], isFirst: place == 0)
        left -= source.cost - sources[place].cost
        sources[place] = source
        if source.isOnStage, source.isBelowPreferred { break }
      }
    }
  }

  private mutating func improved(_ source: Source, isFirst: Bool) -> Source {
    let layers = source.layers
    let budget = left + source.cost
    var target = source.target
    var step = source.step
    if target < 0, layers.preferred >= 0, source.isOnStage {
      for next in 0...layers.preferred {
        guard margin.fits(rate(next, of: layers), within: budget) else { break }
        target = next
        step = .stage
      }
    } else if target + 1 < layers.count, margin.isBelow(rate(target + 1, of: layers), budget) {
      target += 1
      step = .round
    }
    if target >= 0 {
      for higher in stride(from: layers.count - 1, to: target, by: -1)
      where rate(higher, of: layers) <= rate(target, of: layers) {
        target = higher
        step = .cheaper
      }
    }
    if isFirst, target < layers.oversend {
      for higher in stride(from: layers.oversend, to: target, by: -1)
      where margin.fits(rate(higher, of: layers) - maximumOversend, within: budget) {
        target = higher
        step = .oversend
      }
    }
    var improved = source
    improved.target = target
    improved.cost = target < 0 ? 0 : rate(target, of: layers)
    improved.step = step
    return improved
  }

  private func rate(_ place: Int, of layers: JitsiLayers) -> Int64 { entries[layers.start + place].rate }
}

extension JitsiWalk {
  /// Returns the budget's shortfall for each source's next layer [bit/s]; 0 if there is none, or at the top.
  ///
  /// For sources that wait for the stage, this includes what the stage needs to reach its preferred layers.
  mutating func shortfalls() -> [Int64] {
    var stage: Int64 = 0
    var isWaiting = false
    return sources.indices.map { place in
      let source = sources[place]
      guard source.target + 1 < source.layers.count else { return 0 }
      var need = ownNeed(of: place)
      if isWaiting { need = max(1, need + stage) }
      if source.isOnStage, source.isBelowPreferred {
        stage += rate(source.layers.preferred, of: source.layers) - source.cost
        isWaiting = true
      }
      if need > 0 { margin.note(rise: need) }
      return max(0, need)
    }
  }

  /// Returns the rate that a source's next layer needs beyond what is left [bit/s].
  private func ownNeed(of place: Int) -> Int64 {
    let source = sources[place]
    let layers = source.layers
    let budget = left + source.cost
    let next = source.target + 1
    let isClimbing = source.isOnStage && source.isBelowPreferred
    var need = rate(next, of: layers) - budget + (isClimbing ? 0 : 1)
    if place == 0, next <= layers.oversend {
      for higher in next...layers.oversend {
        need = min(need, rate(higher, of: layers) - maximumOversend - budget)
      }
    }
    return need
  }
}
