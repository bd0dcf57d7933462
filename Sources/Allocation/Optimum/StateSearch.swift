/// Search for the best allocation within a budget, or the least rate for a utility, by lists of states.
struct StateSearch {
  private typealias Option = AllocationProblem.Option

  private struct State: BitwiseCopyable {
    var rate: Int64
    var utility: Int64
    /// Index in ``trail`` of the state that this one extends.
    var parent: Int32
    /// Option of the current tile.
    var option: Int32
  }

  private enum Aim { case mostUtility, leastRate }

  private let problem: AllocationProblem
  /// Options that can still matter.
  private var tiles: [[Option]] = []
  /// Greatest rate of the allocations searched for.
  private var capacity: Int64 = 0
  /// Least utility of the allocations searched for.
  private var threshold: Int64 = 0
  /// Extended state and chosen option of each state of the lists so far.
  private var trail: [(parent: Int32, option: Int32)] = []
  private var states: [State] = []
  private var extended: [State] = []
  private var merged: [State] = []
  private var both: [State] = []

  init(_ problem: AllocationProblem) { self.problem = problem }

  // MARK: Searches

  /// Finds the best allocation.
  ///
  /// - Parameter budget: below the rate of the greatest utility.
  mutating func best(within budget: Int64) -> OptimalAllocation {
    capacity = budget
    threshold = GreedyAllocation(problem, within: budget).utility
    reduce()
    run(.mostUtility)
    guard let last = states.last else {
      preconditionFailure("no state reaches \(threshold) within \(budget)")
    }
    var choices = [Int?](repeating: nil, count: tiles.count)
    var state = (parent: last.parent, option: last.option)
    for tile in tiles.indices {
      let place = tiles[tile][Int(state.option)].place
      if place >= 0 { choices[tile] = place }
      state = trail[Int(state.parent)]
    }
    return OptimalAllocation(
      choices: choices, utility: last.utility, rate: last.rate, margin: BudgetMargin())
  }

  /// Finds the least rate of an allocation with a utility.
  ///
  /// - Parameter utility: at most the greatest.
  mutating func leastRate(reaching utility: Int64) -> Int64 {
    capacity = GreedyAllocation(problem, reaching: utility).rate - 1
    threshold = utility
    reduce()
    if tiles.allSatisfy({ !$0.isEmpty }) { run(.leastRate) }
    return capacity + 1
  }

  /// Removes the options that no allocation searched for can contain.
  ///
  /// With a price on bits, consider the allocation that takes each tile's best option at this price. No allocation is
  /// better by more than the price of the capacity that this one leaves unused; any other option loses its difference
  /// from the tile's best. The price is the slope at which the hull meets the capacity.
  private mutating func reduce() {
    tiles = problem.tiles
    let hull = problem.hull
    guard let corner = hull.lastCorner(within: capacity), corner < hull.increments.count else { return }
    let price = hull.increments[corner]
    let bound =
      Int128(hull.corners[corner].utility) * Int128(price.rate)
      + Int128(price.utility) * Int128(capacity - hull.corners[corner].rate)
    let slack = bound - Int128(threshold) * Int128(price.rate)
    func value(_ option: Option) -> Int128 {
      Int128(option.utility) * Int128(price.rate) - Int128(price.utility) * Int128(option.rate)
    }
    for tile in tiles.indices {
      let best = tiles[tile].reduce(Int128.min) { max($0, value($1)) }
      tiles[tile].removeAll { best - value($0) > slack }
    }
  }

  // MARK: Lists

  private mutating func run(_ aim: Aim) {
    let (corners, starts) = ConcaveHull(tiles).corners(ofFirst: tiles)
    trail.removeAll(keepingCapacity: true)
    trail.append((-1, -1))
    states = [State(rate: 0, utility: 0, parent: 0, option: 0)]
    for tile in tiles.indices.reversed() {
      merged.removeAll(keepingCapacity: true)
      for option in tiles[tile].indices.reversed() {
        corners.withUnsafeBufferPointer {
          extend(by: option, of: tile, $0[starts[tile]..<starts[tile + 1]], aim)
        }
        merge()
      }
      swap(&states, &merged)
      guard tile > 0 else { break }
      for place in states.indices {
        trail.append((states[place].parent, states[place].option))
        states[place].parent = Int32(trail.count - 1)
      }
    }
  }

  /// Extends every state by an option, as far as the undecided tiles can still complete it to an allocation searched
  /// for.
  ///
  /// - Parameter corners: the hull of the tiles that are still undecided.
  private mutating func extend(
    by option: Int, of tile: Int, _ corners: Slice<UnsafeBufferPointer<ConcaveHull.Corner>>, _ aim: Aim
  ) {
    extended.removeAll(keepingCapacity: true)
    extended.reserveCapacity(states.count)
    let added = tiles[tile][option]
    let first = corners.startIndex
    let last = corners.endIndex - 1
    var corner = last
    var reaching = last
    for state in states {
      let rate = state.rate + added.rate
      let utility = state.utility + added.utility
      if aim == .leastRate {
        while reaching > first, corners[reaching - 1].utility >= threshold - utility { reaching -= 1 }
        if corners[reaching].utility >= threshold - utility {
          capacity = min(capacity, rate + corners[reaching].rate - 1)
        }
      }
      let left = capacity - rate
      while corner >= first, corners[corner].rate > left { corner -= 1 }
      // The states that follow take even more.
      guard corner >= first else { break }
      let sure = utility + corners[corner].utility
      if sure < threshold {
        guard corner < last else { continue }
        let (from, to) = (corners[corner], corners[corner + 1])
        let step = (rate: to.rate - from.rate, utility: to.utility - from.utility)
        let needed = threshold - sure
        guard needed <= step.utility,
          Self.isProduct(needed, step.rate, atMost: step.utility, left - from.rate)
        else { continue }
      } else if aim == .mostUtility {
        threshold = sure
      }
      extended.append(State(rate: rate, utility: utility, parent: state.parent, option: Int32(option)))
    }
  }

  /// Checks whether a x b is at most c x d; none is negative.
  @inline(__always)
  private static func isProduct(_ a: Int64, _ b: Int64, atMost c: Int64, _ d: Int64) -> Bool {
    let (one, oneOverflows) = a.multipliedReportingOverflow(by: b)
    let (other, otherOverflows) = c.multipliedReportingOverflow(by: d)
    guard oneOverflows || otherOverflows else { return one <= other }
    return Int128(a) * Int128(b) <= Int128(c) * Int128(d)
  }

  /// Merges the extended states into the list, without dominated ones; of equal states, those in the list stay.
  private mutating func merge() {
    guard !merged.isEmpty else {
      swap(&merged, &extended)
      return
    }
    guard !extended.isEmpty else { return }
    both.removeAll(keepingCapacity: true)
    both.reserveCapacity(merged.count + extended.count)
    var one = 0
    var other = 0
    var reached = Int64.min
    while one < merged.count || other < extended.count {
      let takesOne: Bool
      if one == merged.count {
        takesOne = false
      } else if other == extended.count {
        takesOne = true
      } else if merged[one].rate != extended[other].rate {
        takesOne = merged[one].rate < extended[other].rate
      } else {
        takesOne = merged[one].utility >= extended[other].utility
      }
      let state = takesOne ? merged[one] : extended[other]
      if takesOne { one += 1 } else { other += 1 }
      guard state.utility > reached else { continue }
      reached = state.utility
      both.append(state)
    }
    swap(&merged, &both)
  }
}
