/// The multiple-choice knapsack: of each class at most one item, within a capacity, for the greatest total value.
///
/// Exact, in integers. A dynamic program over non-dominated states, from the last class to the first; a state is dropped
/// when even fractions of the items before it could not raise it to a value that is known to be reachable.
///
/// Ties: among all choices of the greatest value the one whose values, read class by class, are greatest in the first
/// class in which they differ; of items of the same class and value the cheapest.
package struct ChoiceKnapsack: Sendable {
  package struct Item: Hashable, Sendable {
    /// At least 1.
    package var cost: Int64
    /// At least 1, at most 10¹².
    package var value: Int64
    /// What the caller knows it by.
    package var tag: Int

    package init(cost: Int64, value: Int64, tag: Int) {
      self.cost = cost
      self.value = value
      self.tag = tag
    }
  }

  /// By class: items of rising cost and value, the dominated ones left out.
  let classes: [[Item]]
  /// Whether each class gives exactly one item.
  let isMandatory: Bool
  /// Places of the classes, all before index `n`: what they cost and are worth at least, and how that grows with
  /// fractions of items.
  let reaches: [Reach]

  /// - Parameters:
  ///   - classes: the first has the first choice in a tie; not empty if mandatory.
  ///   - isMandatory: whether each class has to give an item; the cheapest together then fit every capacity in use.
  package init(_ classes: [[Item]], isMandatory: Bool = false) {
    self.classes = classes.map(Self.undominated)
    self.isMandatory = isMandatory
    reaches = Reach.ofPrefixes(self.classes, isMandatory: isMandatory)
  }

  private static func undominated(_ items: [Item]) -> [Item] {
    var kept: [Item] = []
    for item in items.sorted(by: { ($0.cost, $1.value) < ($1.cost, $0.value) })
    where item.value > kept.last?.value ?? 0 {
      kept.append(item)
    }
    return kept
  }

  /// The best choice.
  ///
  /// - Returns: by class the tag of its item; `nil` for none.
  package func solve(capacity: Int64) -> [Int?] {
    let room = max(0, capacity)
    return tags(Frontiers(self, capacity: room, atLeast: knownValue(within: room)).choice(within: room))
  }

  /// The least capacity above a given one with another best choice; `nil` if there is none.
  package func nextChange(after capacity: Int64) -> Int64? {
    let room = max(0, capacity)
    let choice = Frontiers(self, capacity: room, atLeast: knownValue(within: room)).choice(within: room)
    let cost = cost(of: choice)
    // Any item raised by one step is a better choice, so that the next change comes with the cheapest at the latest.
    let steps = classes.indices.compactMap { place -> Int64? in
      let next = (choice[place] ?? -1) + 1
      guard next < classes[place].count else { return nil }
      return classes[place][next].cost - (choice[place].map { classes[place][$0].cost } ?? 0)
    }
    guard let step = steps.min() else { return nil }
    let value = value(of: choice)
    let frontiers = Frontiers(self, capacity: cost + step, atLeast: value)
    guard let better = frontiers.leastCost(above: value) else { return nil }
    // Up to there the value stays, but costlier choices may win a tie.
    guard better - 1 > room, frontiers.choice(within: better - 1) != choice else { return better }
    var (same, other) = (room, better - 1)
    while other - same > 1 {
      let middle = same + (other - same) / 2
      if frontiers.choice(within: middle) == choice { same = middle } else { other = middle }
    }
    return other
  }

  private func tags(_ choice: [Int?]) -> [Int?] {
    zip(classes, choice).map { items, index in index.map { items[$0].tag } }
  }

  private func cost(of choice: [Int?]) -> Int64 {
    zip(classes, choice).reduce(0) { sum, own in sum + (own.1.map { own.0[$0].cost } ?? 0) }
  }

  private func value(of choice: [Int?]) -> Int64 {
    zip(classes, choice).reduce(0) { sum, own in sum + (own.1.map { own.0[$0].value } ?? 0) }
  }

  /// A value that some choice reaches.
  private func knownValue(within capacity: Int64) -> Int64 {
    reaches[classes.count].greedyValue(within: capacity, classes: classes.count)
  }
}

/// The non-dominated states of the classes from each place on.
private struct Frontiers {
  private struct State {
    var cost: Int64
    var value: Int64
  }

  private let knapsack: ChoiceKnapsack
  /// By place, one more than classes: states of rising cost and value.
  private var states: [[State]]

  /// - Parameter least: choices of less value may be missing.
  init(_ knapsack: ChoiceKnapsack, capacity: Int64, atLeast least: Int64) {
    self.knapsack = knapsack
    let count = knapsack.classes.count
    states = Array(repeating: [], count: count + 1)
    states[count] = [State(cost: 0, value: 0)]
    for place in (0..<count).reversed() {
      states[place] = merged(place, capacity: capacity, atLeast: least)
    }
  }

  /// The states of a class and all behind it.
  private func merged(_ place: Int, capacity: Int64, atLeast least: Int64) -> [State] {
    let items = knapsack.classes[place]
    let behind = states[place + 1]
    let reach = knapsack.reaches[place]
    // One ascending list for each item, and one for none.
    var offsets = items.map { State(cost: $0.cost, value: $0.value) }
    if !knapsack.isMandatory { offsets.insert(State(cost: 0, value: 0), at: 0) }
    var places = [Int](repeating: 0, count: offsets.count)
    var merged: [State] = []
    merged.reserveCapacity(behind.count * 2)
    var bound = reach.cursor()
    while true {
      var chosen = -1
      var next = State(cost: .max, value: 0)
      for list in offsets.indices where places[list] < behind.count {
        let cost = behind[places[list]].cost + offsets[list].cost
        guard cost <= next.cost else { continue }
        let value = behind[places[list]].value + offsets[list].value
        if cost < next.cost || value > next.value {
          next = State(cost: cost, value: value)
          chosen = list
        }
      }
      guard chosen >= 0, next.cost <= capacity - reach.baseCost else { return merged }
      places[chosen] += 1
      guard next.value > merged.last?.value ?? -1 else { continue }
      if next.value + bound.value(within: capacity - next.cost) >= least { merged.append(next) }
    }
  }

  /// The greatest value from a place on; `nil` for none.
  private func best(from place: Int, within capacity: Int64) -> Int64? {
    let own = states[place]
    var (low, high) = (0, own.count)
    while low < high {
      let middle = (low + high) / 2
      if own[middle].cost <= capacity { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? own[low - 1].value : nil
  }

  /// The best choice: by class the index of its item.
  func choice(within capacity: Int64) -> [Int?] {
    guard var value = best(from: 0, within: capacity) else {
      return knapsack.classes.map { $0.isEmpty || !knapsack.isMandatory ? nil : 0 }
    }
    var left = capacity
    return knapsack.classes.indices.map { place in
      for (index, item) in knapsack.classes[place].enumerated().reversed() where item.cost <= left {
        guard best(from: place + 1, within: left - item.cost) == value - item.value else { continue }
        left -= item.cost
        value -= item.value
        return index
      }
      return nil
    }
  }

  func leastCost(above value: Int64) -> Int64? { states[0].first { $0.value > value }?.cost }
}
