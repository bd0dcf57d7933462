import Systems

extension ChoiceKnapsack {
  /// A step along the upper concave hull of a class.
  struct Step: Sendable {
    var cost: Int64
    var value: Int64
    /// Index of its class.
    var place: Int
    /// Value per unit of cost; for bounds, which need not be exact.
    var slope = 0.0

    /// Checks whether the step has more value per unit of cost.
    func isSteeper(than other: Step) -> Bool {
      let one = value.multipliedFullWidth(by: other.cost)
      let two = other.value.multipliedFullWidth(by: cost)
      return (one.high, one.low) > (two.high, two.low)
    }
  }

  /// Lists the steps of all classes, steepest first.
  static func steps(of classes: [[Item]], isMandatory: Bool) -> [Step] {
    var steps: [Step] = []
    for (place, items) in classes.enumerated() {
      let first = steps.count
      var last: (cost: Int64, value: Int64) = (0, 0)
      for (index, item) in items.enumerated() {
        defer { last = (item.cost, item.value) }
        if isMandatory, index == 0 { continue }
        var step = Step(cost: item.cost - last.cost, value: item.value - last.value, place: place)
        while steps.count > first, let before = steps.last, !before.isSteeper(than: step) {
          steps.removeLast()
          step.cost += before.cost
          step.value += before.value
        }
        steps.append(step)
      }
    }
    for index in steps.indices { steps[index].slope = Double(steps[index].value) / Double(steps[index].cost) }
    return steps.sorted { $0.slope == $1.slope ? $0.place < $1.place : $0.slope > $1.slope }
  }

  /// Maximum value of the first classes if fractions of items count (the linear relaxation, Dantzig's bound).
  struct Reach {
    /// Minimum cost of the classes.
    private(set) var baseCost: Int64 = 0
    /// Total cost after each step, starting before the first.
    private var costs: [Int64]
    /// Total value after each step, starting before the first.
    private var values: [Int64]
    /// Value per unit of cost of the step that follows each place; zero after the last.
    private var slopes: [Double]

    /// Computes the relaxation.
    ///
    /// - Parameter count: number of classes, from the first.
    init(_ knapsack: ChoiceKnapsack, classes count: Int) {
      var value: Int64 = 0
      if knapsack.isMandatory {
        for items in knapsack.classes.prefix(count) {
          baseCost += items.first?.cost ?? 0
          value += items.first?.value ?? 0
        }
      }
      var cost = baseCost
      costs = [cost]
      values = [value]
      slopes = []
      costs.reserveCapacity(knapsack.steps.count + 1)
      values.reserveCapacity(knapsack.steps.count + 1)
      slopes.reserveCapacity(knapsack.steps.count + 1)
      for step in knapsack.steps where step.place < count {
        cost += step.cost
        value += step.value
        costs.append(cost)
        values.append(value)
        slopes.append(step.slope)
      }
      slopes.append(0)
    }

    /// Counts the steps that are taken whole within a capacity of at least ``baseCost``.
    func place(within capacity: Int64) -> Int {
      var (low, high) = (0, costs.count - 1)
      while low < high {
        let middle = (low + high + 1) / 2
        if costs[middle] <= capacity { low = middle } else { high = middle - 1 }
      }
      return low
    }

    /// Returns an upper bound on the value within a capacity; at most 2 too large, to allow for rounding in `Double`.
    ///
    /// - Parameter place: the capacity's place, or a higher one that is corrected.
    func bound(within capacity: Int64, from place: inout Int) -> Int64 {
      while place > 0, costs[place] > capacity { place -= 1 }
      let rest = Double(capacity - costs[place]) * slopes[place]
      return values[place] + (slopes[place] > 0 ? Int64(rest) + 2 : 0)
    }
  }

  /// Returns the value of a choice that takes the steepest steps that fit, in the order of the steps.
  func greedyValue(within capacity: Int64) -> Int64 {
    var left = capacity
    var value: Int64 = 0
    if isMandatory {
      for items in classes {
        left -= items.first?.cost ?? 0
        value += items.first?.value ?? 0
      }
    }
    guard left >= 0 else { return 0 }
    var isClosed = [Bool](repeating: false, count: classes.count)
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
}
