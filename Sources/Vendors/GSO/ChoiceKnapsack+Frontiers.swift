import Systems

extension ChoiceKnapsack {
  /// Maximum value of the classes from each index on, by capacity.
  struct Frontiers {
    private struct State {
      var cost: Int64
      var value: Int64
    }

    private let knapsack: ChoiceKnapsack
    /// States of rising cost and value by index, one more than there are classes; empty if ``values`` is in use.
    private var states: [[State]] = []
    /// Greatest values by index, then by units of capacity; negative where the classes cost more than the capacity.
    private var values: [[Int32]] = []

    /// Computes the frontiers within a capacity.
    ///
    /// - Parameter least: choices of lower value may be missing.
    init(_ knapsack: ChoiceKnapsack, capacity: Int64, atLeast least: Int64) {
      self.knapsack = knapsack
      let count = knapsack.classes.count
      if Self.isDense(knapsack, capacity: capacity) {
        values = Array(
          repeating: [Int32](repeating: 0, count: Int(capacity / knapsack.unit) + 1), count: count + 1)
        for place in (0..<count).reversed() { fill(place) }
        return
      }
      states = Array(repeating: [], count: count + 1)
      states[count] = [State(cost: 0, value: 0)]
      for place in (0..<count).reversed() {
        states[place] = merged(place, capacity: capacity, atLeast: least)
      }
    }

    /// Largest number of units of capacity for which values are tabulated.
    private static let mostUnits: Int64 = 1 << 14
    /// Largest total value of all classes for which values are tabulated.
    private static let mostValue = Int64(Int32.max / 2)
    private static let impossible = Int32.min / 2

    static func isDense(_ knapsack: ChoiceKnapsack, capacity: Int64) -> Bool {
      capacity / knapsack.unit <= mostUnits
        && knapsack.classes.reduce(0) { $0 + ($1.last?.value ?? 0) } <= mostValue
    }

    private mutating func fill(_ place: Int) {
      let items = knapsack.classes[place]
      let unit = knapsack.unit
      let behind = values[place + 1]
      var best = knapsack.isMandatory ? [Int32](repeating: Self.impossible, count: behind.count) : behind
      best.withUnsafeMutableBufferPointer { best in
        behind.withUnsafeBufferPointer { behind in
          for item in items {
            let units = Int(item.cost / unit)
            guard units < best.count else { break }
            let value = Int32(item.value)
            for left in 0..<(best.count - units) {
              best[left + units] = max(best[left + units], behind[left] &+ value)
            }
          }
        }
      }
      values[place] = best
    }

    /// Merges the states of a class with those of all classes after it.
    private func merged(_ place: Int, capacity: Int64, atLeast least: Int64) -> [State] {
      let reach = ChoiceKnapsack.Reach(knapsack, classes: place)
      var merged: [State] = []
      var shifted: [State] = []
      var next: [State] = []
      if !knapsack.isMandatory {
        shift(place + 1, by: State(cost: 0, value: 0), reach, capacity, least, into: &merged)
      }
      for item in knapsack.classes[place] {
        shift(
          place + 1, by: State(cost: item.cost, value: item.value), reach, capacity, least, into: &shifted)
        guard !shifted.isEmpty else { continue }
        Self.merge(merged, shifted, into: &next)
        swap(&merged, &next)
      }
      return merged
    }

    /// Shifts the states after a class by one of its items, keeping those that may reach the value sought.
    private func shift(
      _ place: Int, by item: State, _ reach: ChoiceKnapsack.Reach, _ capacity: Int64, _ least: Int64,
      into shifted: inout [State]
    ) {
      shifted.removeAll(keepingCapacity: true)
      var taken: Int?
      for state in states[place] {
        let next = State(cost: state.cost + item.cost, value: state.value + item.value)
        let left = capacity - next.cost
        guard left >= reach.baseCost else { return }
        var step = taken ?? reach.place(within: left)
        if next.value + reach.bound(within: left, from: &step) >= least { shifted.append(next) }
        taken = step
      }
    }

    private static func merge(_ one: [State], _ other: [State], into merged: inout [State]) {
      merged.removeAll(keepingCapacity: true)
      var (a, b) = (0, 0)
      var value: Int64 = -1
      while a < one.count || b < other.count {
        let takesOne: Bool
        if a == one.count {
          takesOne = false
        } else if b == other.count {
          takesOne = true
        } else {
          takesOne = (one[a].cost, other[b].value) <= (other[b].cost, one[a].value)
        }
        let next = takesOne ? one[a] : other[b]
        if takesOne { a += 1 } else { b += 1 }
        guard next.value > value else { continue }
        value = next.value
        merged.append(next)
      }
    }

    /// Finds the greatest value from an index on; `nil` for none.
    private func best(from place: Int, within capacity: Int64) -> Int64? {
      guard values.isEmpty else {
        let value = values[place][Int(capacity / knapsack.unit)]
        return value < 0 ? nil : Int64(value)
      }
      let own = states[place]
      var (low, high) = (0, own.count)
      while low < high {
        let middle = (low + high) / 2
        if own[middle].cost <= capacity { low = middle + 1 } else { high = middle }
      }
      return low > 0 ? own[low - 1].value : nil
    }

    /// Returns the best choice as the index of each class's item; `nil` if no choice reaches the value sought.
    func choice(within capacity: Int64) -> [Int?]? {
      guard var value = best(from: 0, within: capacity) else { return nil }
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

    func leastCost(above value: Int64) -> Int64? {
      guard values.isEmpty else {
        return values[0].firstIndex { $0 > value }.map { Int64($0) * knapsack.unit }
      }
      return states[0].first { $0.value > value }?.cost
    }
  }
}
