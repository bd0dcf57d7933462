extension ChoiceKnapsack {
  /// What fractions of items could reach at most (the linear relaxation, Dantzig's bound).
  struct Reach: Sendable {
    /// A step along the upper concave hull of a class.
    private struct Step: Sendable {
      var cost: Int64
      var value: Int64
      var place: Int

      /// Whether it is worth more for its cost.
      func isSteeper(than other: Step) -> Bool {
        let one = value.multipliedFullWidth(by: other.cost)
        let two = other.value.multipliedFullWidth(by: cost)
        return (one.high, one.low) > (two.high, two.low)
      }
    }

    /// Cost and value of the cheapest items, where each class has to give one.
    private(set) var baseCost: Int64 = 0
    private var baseValue: Int64 = 0
    /// Steepest first.
    private var steps: [Step] = []

    /// For each number of classes from the first on, none included.
    static func ofPrefixes(_ classes: [[Item]], isMandatory: Bool) -> [Reach] {
      let hulls = classes.indices.flatMap { hull(of: classes[$0], place: $0, isMandatory: isMandatory) }
      let ordered = hulls.enumerated().sorted { a, b in
        if a.element.isSteeper(than: b.element) { return true }
        return !b.element.isSteeper(than: a.element) && a.offset < b.offset
      }
      let steps = ordered.map(\.element)
      return (0...classes.count).map { count in
        var reach = Reach()
        reach.steps = steps.filter { $0.place < count }
        if isMandatory {
          for items in classes.prefix(count) {
            reach.baseCost += items.first?.cost ?? 0
            reach.baseValue += items.first?.value ?? 0
          }
        }
        return reach
      }
    }

    private static func hull(of items: [Item], place: Int, isMandatory: Bool) -> [Step] {
      var steps: [Step] = []
      var last: (cost: Int64, value: Int64) = (0, 0)
      for (index, item) in items.enumerated() {
        defer { last = (item.cost, item.value) }
        if isMandatory, index == 0 { continue }
        var step = Step(cost: item.cost - last.cost, value: item.value - last.value, place: place)
        while let before = steps.last, !before.isSteeper(than: step) {
          steps.removeLast()
          step.cost += before.cost
          step.value += before.value
        }
        steps.append(step)
      }
      return steps
    }

    /// The value of a choice that takes the steepest steps that fit, one class after the other.
    func greedyValue(within capacity: Int64, classes count: Int) -> Int64 {
      var left = capacity - baseCost
      guard left >= 0 else { return 0 }
      var value = baseValue
      var isClosed = [Bool](repeating: false, count: count)
      for step in steps where !isClosed[step.place] {
        if step.cost <= left {
          left -= step.cost
          value += step.value
        } else {
          isClosed[step.place] = true
        }
      }
      return value
    }

    func cursor() -> Cursor { Cursor(self) }

    /// Bounds for capacities that fall.
    struct Cursor {
      private let reach: Reach
      private var cost: Int64
      private var value: Int64
      /// Steps that are taken whole.
      private var taken: Int

      fileprivate init(_ reach: Reach) {
        self.reach = reach
        taken = reach.steps.count
        cost = reach.steps.reduce(reach.baseCost) { $0 + $1.cost }
        value = reach.steps.reduce(reach.baseValue) { $0 + $1.value }
      }

      /// The most that the classes are worth within a capacity, no more than the one before.
      mutating func value(within capacity: Int64) -> Int64 {
        while taken > 0, cost > capacity {
          taken -= 1
          cost -= reach.steps[taken].cost
          value -= reach.steps[taken].value
        }
        guard taken < reach.steps.count, cost <= capacity else { return value }
        let step = reach.steps[taken]
        let product = step.value.multipliedReportingOverflow(by: capacity - cost)
        return value + (product.overflow ? step.value : product.partialValue / step.cost)
      }
    }
  }
}
