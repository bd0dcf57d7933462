import Systems

/// Multiple-choice knapsack: at most one item from each class, within a capacity, for the greatest total value.
///
/// A dynamic program from the last class to the first: over all capacities if a common unit of the costs makes them
/// few, otherwise over non-dominated states. It drops states that even fractions of the items before them could not
/// raise to a value known to be reachable.
///
/// Exact, in integers, if at most ``mostStates`` states can arise, as bounded by the number of choices or by sums of
/// costs or values with a common divisor. Otherwise, since nothing would bound the time, values are rounded to whole
/// steps such that the best items of all classes add up to ``valueSteps``; the choice is then worse than the best by at
/// most one step per class.
///
/// Ties: among all choices of the greatest value, the one with the greater value in the first class in which they
/// differ; among items of the same class and value, the cheapest.
package struct ChoiceKnapsack: Sendable {
  package struct Item: Hashable, Sendable {
    /// Cost, at least 1.
    package var cost: Int64
    /// Value, at least 1 and at most 10¹⁴.
    package var value: Int64
    /// Caller's identification of the item.
    package var tag: Int

    package init(cost: Int64, value: Int64, tag: Int) {
      self.cost = cost
      self.value = value
      self.tag = tag
    }
  }

  /// Items of each class by rising cost and value, without dominated ones.
  let classes: [[Item]]
  /// Set if each class contributes exactly one item.
  let isMandatory: Bool
  let steps: [Step]
  /// Size of a value step; 1 if values count exactly.
  package let valueStep: Int64
  /// Common divisor of all costs.
  let unit: Int64

  /// Creates a problem.
  ///
  /// - Parameters:
  ///   - classes: the first has the first choice in a tie; not empty if mandatory.
  ///   - isMandatory: `true` if each class has to contribute an item; the cheapest items together then have to fit
  ///     every capacity in use.
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

  /// Maximum number of states for which values count exactly.
  static let mostStates: Int64 = 1 << 18
  /// Number of steps that the best items of all classes add up to beyond ``mostStates``.
  static let valueSteps: Int64 = 1 << 12

  /// Returns the step to which values are rounded: 1 if few states can arise.
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

  /// Rounds items to steps of value, at least one step each, and keeps the cheapest of those with the same value.
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

  /// Finds the best choice.
  ///
  /// - Returns: the tag of each class's item; `nil` for none.
  package func solve(capacity: Int64) -> [Int?] {
    let room = max(0, capacity)
    return tags(best(within: room))
  }

  /// Finds the least capacity above a given one with another best choice; `nil` if there is none.
  package func nextChange(after capacity: Int64) -> Int64? {
    let room = max(0, capacity)
    let choice = best(within: room)
    let cost = cost(of: choice)
    // Raising any item by one step gives a better choice, so the next change comes at the cheapest step at the latest.
    let steps = classes.indices.compactMap { place -> Int64? in
      let next = (choice[place] ?? -1) + 1
      guard next < classes[place].count else { return nil }
      return classes[place][next].cost - (choice[place].map { classes[place][$0].cost } ?? 0)
    }
    guard let step = steps.min() else { return nil }
    let value = value(of: choice)
    let frontiers = Frontiers(self, capacity: cost + step, atLeast: value)
    guard let better = frontiers.leastCost(above: value) else { return nil }
    // Up to that capacity, the value stays the same, but more expensive choices may win a tie.
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

  /// Finds the best choice, as the index of each class's item.
  ///
  /// Few states remain if the value sought is close to the best, which is usually close to the relaxation's; if that
  /// proves unreachable, the next attempt aims lower.
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
