import Allocation
import Ladder
import Quantity
import TestSupport
import Testing

@Suite("A viewer's optimum")
struct OptimalAllocationTests {
  private func option(_ rate: Int64, _ utility: Int64) -> TileOption {
    TileOption(rate: rate, utility: utility)
  }

  private func optimum(_ tiles: [[TileOption]], _ budget: Int64) -> OptimalAllocation {
    AllocationProblem(tiles).optimum(within: budget, findsMargin: true)
  }

  // MARK: By hand

  /// 100 bit/s buy 50 of the first tile and 60 of the second, and the best of both together is 90 with 150.
  @Test func aSmallCaseByHand() {
    let tiles = [[option(50, 30), option(100, 50)], [option(100, 60)]]
    #expect(optimum(tiles, 49).choices == [nil, nil])
    #expect(optimum(tiles, 50).choices == [0, nil])
    #expect(optimum(tiles, 99).choices == [0, nil])
    #expect(optimum(tiles, 100).choices == [nil, 0])
    #expect(optimum(tiles, 149).choices == [nil, 0])
    #expect(optimum(tiles, 150).choices == [0, 0])
    #expect(optimum(tiles, 199).choices == [0, 0])
    #expect(optimum(tiles, 200).choices == [1, 0])
    #expect(optimum(tiles, .max).choices == [1, 0])
    #expect(optimum(tiles, 0).margin.rise == 50)
    #expect(optimum(tiles, 120).margin.rise == 30)
    #expect(optimum(tiles, 199).margin.rise == 1)
    #expect(optimum(tiles, 200).margin.rise == nil)
    #expect(optimum(tiles, -7).utility == 0)
  }

  /// A greedy choice by utility per bit takes the small option first, after which nothing else fits.
  @Test func whatGreedMisses() {
    let best = optimum([[option(10, 20)], [option(100, 100)]], 100)
    #expect(best.choices == [nil, 0])
    #expect(best.utility == 100 && best.rate == 100)
    #expect(best.margin.rise == 10)
  }

  @Test func tiesGoToTheCheaperThenToTheFirstInOrder() {
    // A utility of 10 for 5 bits or for 4.
    #expect(optimum([[option(5, 10)], [option(4, 10)]], 5).choices == [nil, 0])
    // Equal rate and equal utility: the first tile gets it.
    #expect(optimum([[option(5, 10)], [option(5, 10)]], 9).choices == [0, nil])
    #expect(optimum([[option(5, 10)], [option(5, 10)], [option(5, 10)]], 10).choices == [0, 0, nil])
    // 7 + 3 for 3 + 7 bits, either way round: the first tile gets more.
    let both = [option(3, 3), option(7, 7)]
    #expect(optimum([both, both], 10).choices == [1, 0])
    // An upper layer that adds no utility is not taken, whatever the budget.
    #expect(optimum([[option(5, 10), option(6, 10)]], 100).choices == [0])
    #expect(optimum([[option(6, 10), option(5, 10)]], 100).choices == [1])
    #expect(optimum([[option(5, 10), option(5, 10)]], 100).choices == [0])
  }

  @Test func whatDoesNotArriveOrIsWorthNothingIsNotGiven() {
    #expect(optimum([[.none, option(0, 5), option(5, 0)]], 100).choices == [nil])
    #expect(optimum([], 100).choices.isEmpty)
    #expect(optimum([[], [option(1, 1)]], 1).choices == [nil, 0])
    #expect(optimum([[]], 1).margin.rise == nil)
  }

  // MARK: Against every allocation

  private func randomTiles(_ numbers: inout SplitMix, rates: Int64, utilities: Int64) -> [[TileOption]] {
    (0..<numbers.within(1...4)).map { _ in
      (0..<numbers.below(6)).map { _ in
        TileOption(rate: numbers.below(rates + 1), utility: numbers.below(utilities + 1))
      }
    }
  }

  private func check(_ tiles: [[TileOption]], _ budget: Int64) {
    let every = BruteForce(tiles)
    let expected = every.best(within: budget)
    let found = optimum(tiles, budget)
    #expect(found.choices == expected.choices, "\(tiles) at \(budget)")
    #expect(found.utility == expected.utility && found.rate == expected.rate)
    #expect(found.margin.rise.map { $0 + budget } == every.nextBudget(above: budget), "\(tiles) at \(budget)")
    #expect(AllocationProblem(tiles).hullUtility(within: budget) >= expected.utility)
  }

  /// Small numbers, which make nearly every case a tie.
  @Test func fourThousandWithTies() {
    var numbers = SplitMix(seed: 1)
    for _ in 0..<4000 {
      let tiles = randomTiles(&numbers, rates: 6, utilities: 6)
      check(tiles, numbers.below(26))
    }
  }

  @Test func twoThousandOfArbitraryRates() {
    var numbers = SplitMix(seed: 2)
    for _ in 0..<2000 {
      let tiles = randomTiles(&numbers, rates: 2_500_000, utilities: 4_000_000)
      check(tiles, numbers.below(8_000_000))
    }
  }

  /// Utility proportional to the rate: the bounds prune nothing.
  @Test func oneThousandSubsetSums() {
    var numbers = SplitMix(seed: 3)
    for _ in 0..<1000 {
      let tiles = randomTiles(&numbers, rates: 40, utilities: 0).map { options in
        options.map { TileOption(rate: $0.rate, utility: $0.rate * 3) }
      }
      check(tiles, numbers.below(120))
    }
  }

  /// Rates and utilities at the limits of their ranges overflow nothing.
  @Test func extremesDoNotOverflow() {
    let big = option(1_000_000_000_000, 100_000_000_000)
    let near = option(999_999_999_999, 99_999_999_999)
    let tiles = [[near, big], [option(1, 1), big], [near]]
    for budget in [0, 1, 999_999_999_999, 1_000_000_000_000, 2_500_000_000_000] as [Int64] {
      check(tiles, budget)
    }
  }

  // MARK: Thresholds

  /// Stepping from margin to margin finds every budget at which the optimum changes, and no other.
  @Test func marginsListAllThresholds() {
    var numbers = SplitMix(seed: 4)
    for _ in 0..<100 {
      let tiles = randomTiles(&numbers, rates: 12, utilities: 9)
      let problem = AllocationProblem(tiles)
      var changes: [Int64] = []
      for budget in 1...60 as ClosedRange<Int64>
      where problem.optimum(within: budget).choices != problem.optimum(within: budget - 1).choices {
        changes.append(budget)
      }
      var listed: [Int64] = []
      var budget: Int64 = 0
      while let rise = problem.optimum(within: budget, findsMargin: true).margin.rise {
        budget += rise
        listed.append(budget)
      }
      #expect(listed == changes)
    }
  }

  /// Four sources of nine layers each, rates to the bit: every threshold up to 8 Mbps.
  @Test func theThresholdsOfFourSourcesAreFew() {
    var numbers = SplitMix(seed: 5)
    for _ in 0..<5 {
      let tiles = (0..<4).map { _ in
        (1...9).map { layer in
          TileOption(
            rate: layer * 200_000 + numbers.below(150_000), utility: layer * 100_000 + numbers.below(90_000))
        }
      }
      let problem = AllocationProblem(tiles)
      var budget: Int64 = 0
      var evaluations = 1
      var utility: Int64 = 0
      while let rise = problem.optimum(within: budget, findsMargin: true).margin.rise,
        budget + rise <= 8_000_000
      {
        #expect(problem.optimum(within: budget + rise - 1).utility == utility)
        budget += rise
        evaluations += 1
        utility = problem.optimum(within: budget).utility
      }
      #expect((20..<3000).contains(evaluations))
    }
  }

  // MARK: The hull

  /// The middle layer lies below the line from nothing to the top layer: 60 at 100 bit/s, 30 at 50 bit/s.
  @Test func theHullMixesLayers() {
    let problem = AllocationProblem([[option(50, 20), option(100, 60)], [option(100, 40)]])
    #expect(problem.hullUtility(within: -1) == 0)
    #expect(problem.hullUtility(within: 50) == 30)
    #expect(problem.hullUtility(within: 51) == 30)
    #expect(problem.hullUtility(within: 52) == 31)
    #expect(problem.hullUtility(within: 100) == 60)
    #expect(problem.hullUtility(within: 150) == 80)
    #expect(problem.hullUtility(within: 200) == 100)
    #expect(problem.hullUtility(within: .max) == 100)
  }

  /// Twenty-five sources: the optimum lies above a greedy allocation, below the hull, and within one increment of it.
  @Test func theOptimumOfTwentyFiveLiesBetweenGreedAndHull() {
    var numbers = SplitMix(seed: 6)
    for _ in 0..<200 {
      var greatestStep: Int64 = 0
      let tiles = (0..<25).map { _ in
        var rate: Int64 = 0
        var utility: Int64 = 0
        return (1...9).map { layer in
          rate += numbers.within(20_000...400_000)
          let step = numbers.within(1...400_000) / Int64(layer)
          greatestStep = max(greatestStep, step * 9)
          utility += step
          return TileOption(rate: rate, utility: utility)
        }
      }
      let problem = AllocationProblem(tiles)
      let budget: Int64 = numbers.below(30_000_000)
      let best = problem.optimum(within: budget, findsMargin: true)
      #expect(best.rate <= budget)
      let spent = best.choices.enumerated().reduce(into: (rate: Int64(0), utility: Int64(0))) { sum, choice in
        guard let place = choice.element else { return }
        sum.rate += tiles[choice.offset][place].rate
        sum.utility += tiles[choice.offset][place].utility
      }
      #expect(spent.rate == best.rate && spent.utility == best.utility)
      let hull = problem.hullUtility(within: budget)
      #expect(best.utility <= hull && hull - best.utility <= greatestStep)
      // Raises one layer at a time, round after round.
      var left = budget
      var utility: Int64 = 0
      var layers = tiles.map { _ in -1 }
      for layer in 0..<9 {
        for tile in tiles.indices where layers[tile] == layer - 1 {
          let before = layer > 0 ? tiles[tile][layer - 1] : .none
          guard tiles[tile][layer].rate - before.rate <= left else { continue }
          left -= tiles[tile][layer].rate - before.rate
          utility += tiles[tile][layer].utility - before.utility
          layers[tile] = layer
        }
      }
      #expect(utility <= best.utility)
      let rise = best.margin.rise
      #expect(rise == nil || problem.optimum(within: budget + (rise ?? 1) - 1).choices == best.choices)
      #expect(rise == nil || problem.optimum(within: budget + (rise ?? 1)).utility > best.utility)
    }
  }

  /// The published comparison: 180p at 7.5, 15 and 30 fps, 360p at 500 kbps, 720p at 2 Mbps; capacities from 0.2 to 8
  /// Mbps, evenly spaced in their logarithm; a speaker on a stage has four times the weight. The tiles' sizes are not
  /// published.
  @Test(
    arguments: [
      (4, false, 3.8), (9, false, 3.0), (25, false, 3.1), (4, true, 8.2), (9, true, 4.5), (25, true, 3.5),
    ] as [(Int, Bool, Double)])
  func theHullLiesAsFarAboveTheOptimumAsPublished(count: Int, hasStage: Bool, published: Double) {
    let rungs: [(Resolution, Int, Int64)] = [
      (.p180, 7500, 49_500), (.p180, 15_000, 99_000), (.p180, 30_000, 150_000), (.p360, 30_000, 500_000),
      (.p720, 30_000, 2_000_000),
    ]
    let tiles = (0..<count).map { place in
      rungs.map { size, rate, bits in
        let layer = Layer(
          id: LayerID(encoding: 0, temporal: 0), format: VideoFormat(size, milliFramesPerSecond: rate),
          bitrate: BitRate(bitsPerSecond: bits))
        let isStaged = hasStage && place == 0
        return TileOption(
          rate: bits,
          utility: TileUtility.millionths(
            of: layer, in: isStaged ? .p720 : Resolution(width: 426, height: 240), weight: isStaged ? 4 : 1))
      }
    }
    let problem = AllocationProblem(tiles)
    var numbers = SplitMix(seed: 9)
    var excess = 0.0
    for _ in 0..<400 {
      // 40 raised to a power between 0 and 1, by the power's binary digits.
      var factor = 1.0
      var root = 40.0.squareRoot()
      for _ in 0..<20 {
        if numbers.below(2) == 1 { factor *= root }
        root = root.squareRoot()
      }
      let budget = Int64(200_000 * factor)
      let best = problem.optimum(within: budget).utility
      excess += Double(problem.hullUtility(within: budget) - best) / Double(best)
    }
    #expect(abs(excess / 4 - published) < 1.5, "\(excess / 4) %")
  }
}
