import Allocation

/// Every allocation of a few tiles.
struct BruteForce {
  struct Candidate {
    var choices: [Int?]
    var rate: Int64 = 0
    var utility: Int64 = 0

    /// Indicates whether this candidate ranks first under the rule for ties.
    func precedes(_ other: Candidate, _ tiles: [[TileOption]]) -> Bool {
      if utility != other.utility { return utility > other.utility }
      if rate != other.rate { return rate < other.rate }
      for (tile, options) in tiles.enumerated() {
        let own = choices[tile].map { options[$0].utility } ?? 0
        let others = other.choices[tile].map { options[$0].utility } ?? 0
        if own != others { return own > others }
      }
      // Equal options of one tile: the first wins.
      for tile in tiles.indices where choices[tile] != other.choices[tile] {
        return (choices[tile] ?? -1) < (other.choices[tile] ?? -1)
      }
      return false
    }
  }

  let tiles: [[TileOption]]
  private(set) var candidates: [Candidate]

  init(_ tiles: [[TileOption]]) {
    self.tiles = tiles
    candidates = [Candidate(choices: [])]
    for options in tiles {
      candidates = candidates.flatMap { candidate in
        ([nil] + options.indices.map(Optional.some)).compactMap { choice -> Candidate? in
          var next = candidate
          next.choices.append(choice)
          guard let choice else { return next }
          guard options[choice].rate > 0 else { return nil }
          next.rate += options[choice].rate
          next.utility += options[choice].utility
          return next
        }
      }
    }
  }

  func best(within budget: Int64) -> Candidate {
    var best = Candidate(choices: tiles.map { _ in nil })
    for candidate in candidates where candidate.rate <= budget && candidate.precedes(best, tiles) {
      best = candidate
    }
    return best
  }

  /// The smallest budget above `budget` that yields a greater utility; `nil` if there is none.
  func nextBudget(above budget: Int64) -> Int64? {
    let utility = best(within: budget).utility
    return candidates.filter { $0.utility > utility }.map(\.rate).min()
  }
}
