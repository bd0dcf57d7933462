/// Best allocation to a viewer's tiles within a budget: exact, in integers.
///
/// Of the allocations with at most one option for each tile whose rates fit the budget together, it is the one with the
/// highest total utility. Of several, it is the one that takes the fewest bits; if they tie in bits too, the one that
/// gives more to the first tile in which they differ. Of options of one tile with equal rate and utility, it takes the
/// first.
package struct OptimalAllocation: Hashable, Sendable {
  /// Index of each tile's option; `nil` for nothing.
  package var choices: [Int?]
  /// Total utility [millionths].
  package var utility: Int64
  /// Total rate [bit/s].
  package var rate: Int64
  /// Exact distance to the next budget with a better allocation. Until then nothing changes: the best, cheapest and
  /// first allocation at one budget remains so at a larger one where nothing is better.
  package var margin: BudgetMargin

  init(choices: [Int?], utility: Int64, rate: Int64, margin: BudgetMargin) {
    self.choices = choices
    self.utility = utility
    self.rate = rate
    self.margin = margin
  }
}

/// Viewer's tiles with their options: the multiple-choice knapsack problem, for any budget.
///
/// Solved by lists of non-dominated states (total rate and utility of the decided tiles), pruned by Dantzig's bound on
/// the undecided ones (Pisinger, "A minimal algorithm for the multiple-choice knapsack problem", 1995, without its
/// order of expansion). Tiles are decided from the last to the first, so of two states of equal rate and utility, the
/// one that gives more to the current tile wins the tie. The problem is NP-hard: lists are short where a layer's
/// utility is its score, and long where utilities are proportional to rates, which leaves bounds nothing to prune.
package struct AllocationProblem: Sendable {
  /// Option in its tile's list, which ascends in rate and utility and starts with nothing.
  struct Option: BitwiseCopyable {
    var rate: Int64
    var utility: Int64
    /// Index among the caller's options; -1 for nothing.
    var place: Int
  }

  /// Non-dominated options by tile.
  let tiles: [[Option]]
  let hull: ConcaveHull
  /// Rate and utility of the best allocation without a budget.
  let most: (rate: Int64, utility: Int64)

  /// - Parameter tiles: by tile in the order of the file, the options in any order. Options of rate zero or utility
  ///   zero are never chosen. Rates up to 10^12 bit/s, utilities up to 10^11 millionths each.
  package init(_ tiles: [[TileOption]]) {
    self.tiles = tiles.map(Self.undominated)
    hull = ConcaveHull(self.tiles)
    most = self.tiles.reduce(into: (0, 0)) { total, options in
      guard let last = options.last else { return }
      total.0 += last.rate
      total.1 += last.utility
    }
  }

  private static let greatestRate: Int64 = 1_000_000_000_000
  private static let greatestUtility: Int64 = 100_000_000_000

  private static func undominated(_ options: [TileOption]) -> [Option] {
    var sorted: [Option] = []
    sorted.reserveCapacity(options.count)
    for (place, option) in options.enumerated() where option.rate > 0 && option.utility > 0 {
      precondition(
        option.rate <= greatestRate && option.utility <= greatestUtility,
        "rate or utility out of range: \(option)")
      sorted.append(Option(rate: option.rate, utility: option.utility, place: place))
    }
    sorted.sort { a, b in
      if a.rate != b.rate { return a.rate < b.rate }
      return a.utility == b.utility ? a.place < b.place : a.utility > b.utility
    }
    var kept = [Option(rate: 0, utility: 0, place: -1)]
    kept.reserveCapacity(sorted.count + 1)
    for option in sorted where option.utility > kept[kept.count - 1].utility { kept.append(option) }
    return kept
  }

  /// Finds the best allocation within a budget.
  ///
  /// - Parameters:
  ///   - budget: [bit/s]; less than zero counts as zero.
  ///   - findsMargin: `true` to find the next budget with a better allocation, which takes as long again; otherwise
  ///     the margin is meaningless.
  package func optimum(within budget: Int64, findsMargin: Bool = false) -> OptimalAllocation {
    let budget = max(0, budget)
    guard budget < most.rate else {
      return OptimalAllocation(
        choices: tiles.indices.map(ideal), utility: most.utility,
        rate: most.rate, margin: BudgetMargin())
    }
    var search = StateSearch(self)
    var best = search.best(within: budget)
    if findsMargin { best.margin.note(rise: search.leastRate(reaching: best.utility + 1) - budget) }
    return best
  }

  /// Returns the index of a tile's option without a budget: the cheapest of the greatest utility; `nil` for nothing.
  package func ideal(of tile: Int) -> Int? { tiles[tile].last.flatMap { $0.place < 0 ? nil : $0.place } }

  /// Returns the additional rate of a tile's next better option [bit/s]; `nil` if there is none.
  ///
  /// - Parameter choice: index of the current option, as in an allocation; `nil` for nothing.
  package func nextStep(of tile: Int, after choice: Int?) -> Int64? {
    guard let present = tiles[tile].firstIndex(where: { $0.place == choice ?? -1 }),
      present + 1 < tiles[tile].count
    else { return nil }
    return tiles[tile][present + 1].rate - tiles[tile][present].rate
  }

  /// Returns an upper bound on the utility within a budget [millionths], rounded down: that of the continuous hull, in
  /// which layers can be mixed in time (Dantzig's bound, the linear relaxation).
  package func hullUtility(within budget: Int64) -> Int64 { hull.utility(within: max(0, budget)) }
}
