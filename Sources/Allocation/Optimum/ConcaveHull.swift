/// Upper concave hull of the options of all tiles together: utility as a function of the budget if tiles could be
/// given any mixture of their layers.
///
/// Each tile's hull is cut into increments of falling slope; those of all tiles, sorted by slope, form the hull of
/// their sum. At most one increment is split at any budget.
struct ConcaveHull: Sendable {
  struct Increment: BitwiseCopyable, Sendable {
    var tile: Int
    /// Index of the option that the increment leads to.
    var option: Int
    var rate: Int64
    var utility: Int64
  }

  /// Corner of the hull: totals of the increments before it.
  struct Corner: BitwiseCopyable, Sendable {
    var rate: Int64
    var utility: Int64
  }

  /// Increments by descending slope, then by tile.
  private(set) var increments: [Increment] = []
  /// Corners from the tiles' lowest options on, one more than there are increments.
  private(set) var corners: [Corner]

  /// - Parameter tiles: options of each tile, ascending in rate and utility; at least one each.
  init(_ tiles: [[AllocationProblem.Option]]) {
    increments.reserveCapacity(tiles.reduce(0) { $0 + $1.count })
    var base = Corner(rate: 0, utility: 0)
    for (tile, options) in tiles.enumerated() {
      base.rate += options[0].rate
      base.utility += options[0].utility
      Self.append(options, of: tile, to: &increments)
    }
    increments.sort { a, b in
      let one = Int128(a.utility) * Int128(b.rate)
      let other = Int128(b.utility) * Int128(a.rate)
      if one != other { return one > other }
      return a.tile == b.tile ? a.option < b.option : a.tile < b.tile
    }
    corners = [base]
    corners.reserveCapacity(increments.count + 1)
    for increment in increments {
      base.rate += increment.rate
      base.utility += increment.utility
      corners.append(base)
    }
  }

  private static func append(
    _ options: [AllocationProblem.Option], of tile: Int, to increments: inout [Increment]
  ) {
    let first = increments.count
    var from = 0
    for option in options.indices.dropFirst() {
      var step = Increment(
        tile: tile, option: option, rate: options[option].rate - options[from].rate,
        utility: options[option].utility - options[from].utility)
      // A steeper step absorbs those before it.
      while increments.count > first, let last = increments.last,
        Int128(step.utility) * Int128(last.rate) > Int128(last.utility) * Int128(step.rate)
      {
        step.rate += last.rate
        step.utility += last.utility
        increments.removeLast()
      }
      increments.append(step)
      from = option
    }
  }

  /// Returns the last corner within a budget; `nil` if there is none.
  func lastCorner(within budget: Int64) -> Int? {
    var low = 0
    var high = corners.count
    while low < high {
      let middle = (low + high) / 2
      if corners[middle].rate <= budget { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  /// Returns the utility at a budget, rounded down; -1 if not even the tiles' lowest options fit.
  func utility(within budget: Int64) -> Int64 {
    guard let corner = lastCorner(within: budget) else { return -1 }
    guard corner < increments.count else { return corners[corner].utility }
    let split = increments[corner]
    let share = Int128(split.utility) * Int128(budget - corners[corner].rate) / Int128(split.rate)
    return corners[corner].utility + Int64(share)
  }

  /// Returns the utility per further bit at a budget, as a fraction; zero beyond the last corner.
  func slope(at budget: Int64) -> (utility: Int64, rate: Int64) {
    guard let corner = lastCorner(within: budget), corner < increments.count else { return (0, 1) }
    return (increments[corner].utility, increments[corner].rate)
  }

  /// Computes the hulls of the first n tiles alone, for every n.
  ///
  /// - Returns: the corners of all hulls in one array, and the start of each hull; one more start than there are
  ///   hulls.
  func corners(ofFirst tiles: [[AllocationProblem.Option]]) -> (corners: [Corner], starts: [Int]) {
    var all: [Corner] = []
    var starts: [Int] = []
    var base = Corner(rate: 0, utility: 0)
    for count in 0...tiles.count {
      starts.append(all.count)
      var corner = base
      all.append(corner)
      for increment in increments where increment.tile < count {
        corner.rate += increment.rate
        corner.utility += increment.utility
        all.append(corner)
      }
      if count < tiles.count {
        base.rate += tiles[count][0].rate
        base.utility += tiles[count][0].utility
      }
    }
    starts.append(all.count)
    return (all, starts)
  }
}
