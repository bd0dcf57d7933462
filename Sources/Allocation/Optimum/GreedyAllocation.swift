/// Good initial allocation: along the hull, then whichever single change helps most.
struct GreedyAllocation {
  private(set) var rate: Int64 = 0
  private(set) var utility: Int64 = 0
  private var chosen: [Int]

  /// Allocates within a budget.
  init(_ problem: AllocationProblem, within budget: Int64) {
    chosen = problem.tiles.map { _ in 0 }
    var isBlocked = problem.tiles.map { _ in false }
    for increment in problem.hull.increments where !isBlocked[increment.tile] {
      guard rate + increment.rate <= budget else {
        isBlocked[increment.tile] = true
        continue
      }
      rate += increment.rate
      utility += increment.utility
      chosen[increment.tile] = increment.option
    }
    improve(problem) { own, change in own.rate + change.rate <= budget ? change.utility : 0 }
  }

  /// Allocates to reach a utility, which must not exceed the greatest.
  init(_ problem: AllocationProblem, reaching least: Int64) {
    chosen = problem.tiles.map { _ in 0 }
    for increment in problem.hull.increments where utility < least {
      rate += increment.rate
      utility += increment.utility
      chosen[increment.tile] = increment.option
    }
    improve(problem) { own, change in own.utility + change.utility >= least ? -change.rate : 0 }
  }

  private struct Change {
    var tile = 0
    var option = 0
    var rate: Int64 = 0
    var utility: Int64 = 0
  }

  /// Maximum number of improvements: the initial allocation need not be the best, and more turns cost more than they
  /// save.
  private static let turns = 8

  /// Repeatedly makes the most beneficial change to one tile.
  private mutating func improve(_ problem: AllocationProblem, gain: (Self, Change) -> Int64) {
    for _ in 0..<Self.turns {
      var best = Change()
      var most: Int64 = 0
      for (tile, options) in problem.tiles.enumerated() {
        let present = options[chosen[tile]]
        for option in options.indices where option != chosen[tile] {
          let change = Change(
            tile: tile, option: option, rate: options[option].rate - present.rate,
            utility: options[option].utility - present.utility)
          let gain = gain(self, change)
          guard gain > most else { continue }
          most = gain
          best = change
        }
      }
      guard most > 0 else { return }
      rate += best.rate
      utility += best.utility
      chosen[best.tile] = best.option
    }
  }
}
