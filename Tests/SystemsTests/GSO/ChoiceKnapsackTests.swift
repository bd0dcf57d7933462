import Systems
import TestSupport
import Testing
import Vendors

@Suite("The multiple-choice knapsack is exact where possible, including ties and thresholds")
struct ChoiceKnapsackTests {
  private typealias Item = ChoiceKnapsack.Item

  /// Compares every choice: the greatest total value, then the greatest values in the order of the classes, then the
  /// lowest cost.
  private func exhaustive(_ classes: [[Item]], _ capacity: Int64, isMandatory: Bool = false) -> [Int?] {
    var best: (values: [Int64], sum: Int64, cost: Int64, tags: [Int?])?
    func visit(_ place: Int, _ values: [Int64], _ cost: Int64, _ tags: [Int?]) {
      guard cost <= capacity else { return }
      guard place < classes.count else {
        let sum = values.reduce(0, +)
        if let best {
          guard sum >= best.sum else { return }
          if sum == best.sum {
            if values.lexicographicallyPrecedes(best.values) { return }
            if values == best.values, cost >= best.cost { return }
          }
        }
        best = (values, sum, cost, tags)
        return
      }
      if !isMandatory { visit(place + 1, values + [0], cost, tags + [nil]) }
      for item in classes[place] {
        visit(place + 1, values + [item.value], cost + item.cost, tags + [item.tag])
      }
    }
    visit(0, [], 0, [])
    return best?.tags ?? []
  }

  private func totals(_ classes: [[Item]], _ tags: [Int?]) -> [Int64] {
    zip(classes, tags).map { items, tag in items.first { $0.tag == tag }?.value ?? 0 }
  }

  /// Scales of the costs: few capacities, all of which are examined, or so many that states are examined instead.
  enum Costs: CaseIterable {
    case few, many

    /// Scales a cost; with many capacities, two thirds of the costs keep the ties of the small numbers.
    func scaled(_ cost: Int, _ random: inout SplitMix) -> Int64 {
      switch self {
      case .few: Int64(cost)
      case .many: Int64(cost) * 3001 + Int64(max(0, random.within(-1...1)))
      }
    }

    var unit: Int64 { self == .few ? 1 : 3001 }
  }

  private func random(_ random: inout SplitMix, most: Int, _ costs: Costs) -> [[Item]] {
    (0..<random.within(1...4)).map { _ in
      (0..<random.within(0...4)).map { tag in
        Item(
          cost: costs.scaled(random.within(1...most), &random), value: Int64(random.within(1...most)),
          tag: tag)
      }
    }
  }

  /// Returns the total costs of all choices, the only points at which the best choice changes.
  private func totalCosts(_ classes: [[Item]]) -> [Int64] {
    var costs: Set<Int64> = [0]
    for items in classes { costs.formUnion(costs.flatMap { cost in items.map { cost + $0.cost } }) }
    return costs.sorted()
  }

  @Test(arguments: Costs.allCases) func itIsTheBestOfAllChoices(_ costs: Costs) {
    var generator = SplitMix(seed: 1)
    for _ in 0..<10_000 {
      let classes = random(&generator, most: 9, costs)
      let capacity = Int64(generator.within(0...25)) * costs.unit
      let chosen = ChoiceKnapsack(classes).solve(capacity: capacity)
      #expect(totals(classes, chosen) == totals(classes, exhaustive(classes, capacity)))
    }
  }

  @Test(arguments: Costs.allCases) func everyClassGivesAnItemWhereItHasTo(_ costs: Costs) {
    var generator = SplitMix(seed: 2)
    for _ in 0..<5000 {
      let classes = random(&generator, most: 9, costs).map {
        $0.isEmpty ? [Item(cost: 1, value: 1, tag: 0)] : $0
      }
      let least = classes.reduce(Int64(0)) { $0 + ($1.map(\.cost).min() ?? 0) }
      let capacity = least + Int64(generator.within(0...15)) * costs.unit
      let chosen = ChoiceKnapsack(classes, isMandatory: true).solve(capacity: capacity)
      #expect(chosen.allSatisfy { $0 != nil })
      #expect(totals(classes, chosen) == totals(classes, exhaustive(classes, capacity, isMandatory: true)))
    }
  }

  /// The next threshold matches a search through all capacities, to the unit.
  @Test(arguments: Costs.allCases) func theNextChangeIsFoundExactly(_ costs: Costs) {
    var generator = SplitMix(seed: 3)
    for _ in 0..<3000 {
      let classes = random(&generator, most: 7, costs)
      let knapsack = ChoiceKnapsack(classes)
      let capacity = Int64(generator.within(0...20)) * costs.unit
      let now = totals(classes, exhaustive(classes, capacity))
      let later = totalCosts(classes).first {
        $0 > capacity && totals(classes, exhaustive(classes, $0)) != now
      }
      #expect(knapsack.nextChange(after: capacity) == later)
    }
  }

  /// Six classes of eight items have 9^6 choices, too many to count exactly if neither costs nor values have a common
  /// unit: values count in 4096ths of the maximum over all classes.
  @Test func manyFineValuesCountInSteps() {
    var generator = SplitMix(seed: 4)
    for _ in 0..<5 {
      let classes = (0..<6).map { _ in
        (0..<8).map { tag in
          let cost = Int64(generator.within(100_000...1_500_000))
          return Item(cost: cost, value: cost * 1000 + Int64(generator.within(0...99_999)), tag: tag)
        }
      }
      let most = classes.reduce(Int64(0)) { $0 + ($1.map(\.value).max() ?? 0) }
      let knapsack = ChoiceKnapsack(classes)
      #expect(knapsack.valueStep == most / 4096)
      let capacity = Int64(generator.within(500_000...5_000_000))
      let chosen = knapsack.solve(capacity: capacity)
      let rounded = classes.map { items in
        items.map { Item(cost: $0.cost, value: max(1, $0.value / knapsack.valueStep), tag: $0.tag) }
      }
      #expect(totals(rounded, chosen).reduce(0, +) == greatestValue(rounded, capacity))
      let lost = greatestValue(classes, capacity) - totals(classes, chosen).reduce(0, +)
      #expect((0...6 * knapsack.valueStep).contains(lost))
      // Five classes have fewer choices, and values in hundreds of thousands have few sums.
      #expect(ChoiceKnapsack(Array(classes.prefix(5))).valueStep == 1)
      let coarse = classes.map { items in
        items.map { Item(cost: $0.cost, value: $0.value / 100_000 * 100_000, tag: $0.tag) }
      }
      #expect(ChoiceKnapsack(coarse).valueStep == 1)
    }
  }

  private func greatestValue(_ classes: [[Item]], _ capacity: Int64) -> Int64 {
    var best: Int64 = 0
    func visit(_ place: Int, _ value: Int64, _ left: Int64) {
      best = max(best, value)
      guard place < classes.count else { return }
      visit(place + 1, value, left)
      for item in classes[place] where item.cost <= left {
        visit(place + 1, value + item.value, left - item.cost)
      }
    }
    visit(0, 0, capacity)
    return best
  }

  /// As many publishers as meet, fifteen levels each, QoE as fine as the rates: the running time is bounded.
  @Test(.timeLimit(.minutes(1))) func theHardestProblemEnds() {
    var generator = SplitMix(seed: 5)
    let classes = (0..<25).map { _ in
      (0..<15).map { tag in
        let cost = Int64(generator.within(50_000...1_500_000))
        return Item(cost: cost, value: cost * 1_000_000, tag: tag)
      }
    }
    let chosen = ChoiceKnapsack(classes).solve(capacity: 12_345_677)
    let cost = zip(classes, chosen).reduce(Int64(0)) { sum, own in
      sum + (own.0.first { $0.tag == own.1 }?.cost ?? 0)
    }
    // The value equals the cost, less one step of 1/4096 of the maximum for each class.
    let most = classes.reduce(Int64(0)) { $0 + ($1.map(\.cost).max() ?? 0) }
    #expect((12_345_677 - 25 * (most / 4096 + 1)...12_345_677).contains(cost))
  }

  /// Equal values: 3 + 2 = 2 + 3; the first class takes the 3, even if its choice of the same value costs more.
  @Test func tiesGoToTheFirstClass() {
    let items = [Item(cost: 2, value: 2, tag: 0), Item(cost: 3, value: 3, tag: 1)]
    #expect(ChoiceKnapsack([items, items]).solve(capacity: 5) == [1, 0])
    let costly = [Item(cost: 1, value: 2, tag: 0), Item(cost: 4, value: 4, tag: 1)]
    let cheap = [Item(cost: 1, value: 2, tag: 0), Item(cost: 2, value: 4, tag: 1)]
    let knapsack = ChoiceKnapsack([costly, cheap])
    #expect(knapsack.solve(capacity: 3) == [0, 1])
    #expect(knapsack.solve(capacity: 4) == [0, 1])
    // 2 + 4 at a cost of 3, and 4 + 2 at a cost of 5.
    #expect(knapsack.nextChange(after: 3) == 5)
    #expect(knapsack.solve(capacity: 5) == [1, 0])
    #expect(knapsack.nextChange(after: 5) == 6)
    #expect(knapsack.nextChange(after: 6) == nil)
  }

  @Test func nothingFitsInNothing() {
    let knapsack = ChoiceKnapsack([[Item(cost: 7, value: 1, tag: 4)]])
    #expect(knapsack.solve(capacity: -5) == [nil])
    #expect(knapsack.solve(capacity: 6) == [nil])
    #expect(knapsack.solve(capacity: 7) == [4])
    #expect(knapsack.nextChange(after: -5) == 7)
  }
}
