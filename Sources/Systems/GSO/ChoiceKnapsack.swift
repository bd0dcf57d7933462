/// The multiple-choice knapsack: of each class at most one item, within a capacity, for the greatest total value.
///
/// A dynamic program from the last class to the first: over all capacities where costs have a common unit that makes them
/// few, else over non-dominated states, of which those are dropped that even fractions of the items before them could not
/// raise to a value that is known to be reachable.
///
/// Exact, in integers, where at most ``mostStates`` states can arise: by the number of choices, or by sums of costs or of
/// values that are multiples of something. Elsewhere, where nothing would bound the time, values count in whole steps, of
/// which all classes' best together make ``valueSteps``: the choice is then worth at most a step for each class less than
/// the best.
///
/// Ties: among all choices of the greatest value the one whose values, read class by class, are greatest in the first
/// class in which they differ; of items of the same class and value the cheapest.
package struct ChoiceKnapsack: Sendable {
  package struct Item: Hashable, Sendable {
    /// At least 1.
    package var cost: Int64
    /// At least 1, at most 10¹⁴.
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
  let steps: [Step]
  /// What a step of value comes to; 1 where values count exactly.
  package let valueStep: Int64
  /// What all costs are multiples of.
  let unit: Int64

  /// - Parameters:
  ///   - classes: the first has the first choice in a tie; not empty if mandatory.
  ///   - isMandatory: whether each class has to give an item; the cheapest together then fit every capacity in use.
  package init(_ classes: [[Item]], isMandatory: Bool = false) {
    let exact = classes.map(Self.undominated)
    let costUnit = max(1, exact.joined().reduce(0) { Self.commonDivisor($0, $1.cost) })
    let step = Self.valueStep(exact, costUnit: costUnit)
    self.classes = step == 1 ? exact : exact.map { Self.undominated($0, inSteps: step) }
    self.isMandatory = isMandatory
    valueStep = step
    steps = Self.steps(of: self.classes, isMandatory: isMandatory)
    unit = costUnit
  }

  /// Most states up to which values count exactly, and steps of all classes' best beyond that.
  static let mostStates: Int64 = 1 << 18
  static let valueSteps: Int64 = 1 << 12

  /// What values are rounded to: 1 where few states can arise.
  private static func valueStep(_ classes: [[Item]], costUnit: Int64) -> Int64 {
    var choices = 1.0
    var cost: Int64 = 0
    var value: Int64 = 0
    var unit: Int64 = 0
    for items in classes {
      choices *= Double(items.count + 1)
      cost += items.last?.cost ?? 0
      value += items.last?.value ?? 0
      for item in items { unit = commonDivisor(unit, item.value) }
    }
    let isEasy =
      choices <= Double(mostStates) || cost / costUnit < mostStates || value / max(1, unit) < mostStates
    return isEasy ? 1 : value / valueSteps
  }

  /// Items in steps of value, each of a step at least; of those of the same value the cheapest.
  private static func undominated(_ items: [Item], inSteps step: Int64) -> [Item] {
    undominated(items.map { Item(cost: $0.cost, value: max(1, $0.value / step), tag: $0.tag) })
  }

  private static func undominated(_ items: [Item]) -> [Item] {
    let pairs = zip(items, items.dropFirst())
    if pairs.allSatisfy({ $0.cost < $1.cost && $0.value < $1.value }) { return items }
    var kept: [Item] = []
    for item in items.sorted(by: { ($0.cost, $1.value) < ($1.cost, $0.value) })
    where item.value > kept.last?.value ?? 0 {
      kept.append(item)
    }
    return kept
  }

  private static func commonDivisor(_ a: Int64, _ b: Int64) -> Int64 { b == 0 ? a : commonDivisor(b, a % b) }

  /// The best choice.
  ///
  /// - Returns: by class the tag of its item; `nil` for none.
  package func solve(capacity: Int64) -> [Int?] {
    let room = max(0, capacity)
    return tags(best(within: room))
  }

  /// The least capacity above a given one with another best choice; `nil` if there is none.
  package func nextChange(after capacity: Int64) -> Int64? {
    let room = max(0, capacity)
    let choice = best(within: room)
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

  /// The best choice: by class the index of its item.
  ///
  /// Few states remain if the value to reach is close to the best, which is close to the relaxation's as a rule; where
  /// that turns out to be out of reach, the next attempt aims lower.
  private func best(within capacity: Int64) -> [Int?] {
    let known = greedyValue(within: capacity)
    if Frontiers.isDense(self, capacity: capacity) {
      let frontiers = Frontiers(self, capacity: capacity, atLeast: known)
      return frontiers.choice(within: capacity) ?? classes.map { $0.isEmpty || !isMandatory ? nil : 0 }
    }
    let reach = Reach(self, classes: classes.count)
    if capacity >= reach.baseCost {
      var place = reach.place(within: capacity)
      let most = reach.bound(within: capacity, from: &place)
      for part in [64, 8] as [Int64] where (most - known) / part > 0 {
        let frontiers = Frontiers(self, capacity: capacity, atLeast: most - (most - known) / part)
        if let choice = frontiers.choice(within: capacity) { return choice }
      }
    }
    let frontiers = Frontiers(self, capacity: capacity, atLeast: known)
    return frontiers.choice(within: capacity) ?? classes.map { $0.isEmpty || !isMandatory ? nil : 0 }
  }
}
