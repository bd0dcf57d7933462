import Ladder
import Quantity
import Systems
import Testing
import Vendors

/// Levels of table 1 of the paper, by name.
private let table = GSOLevels.camera(capture: VideoFormat(.p720, framesPerSecond: 30))

@Suite("GSO-Simulcast: knapsack, merge, reduction")
struct GSOSolverTests {
  private func publisher(_ kilobits: Int64, _ levels: [QualityLevel] = table) -> GSOProblem.Publisher {
    GSOProblem.Publisher(uplink: .kilobits(kilobits), sources: [levels])
  }

  private func subscriber(_ kilobits: Int64, _ wishes: [(Int, Resolution)]) -> GSOProblem.Subscriber {
    GSOProblem.Subscriber(
      downlink: .kilobits(kilobits),
      subscriptions: wishes.map { GSOProblem.Demand(source: $0.0, upTo: $0.1) })
  }

  private func solve(
    _ publishers: [GSOProblem.Publisher], _ subscribers: [GSOProblem.Subscriber]
  ) -> GSOSolution {
    var solver = GSOSolver(GSOProblem(publishers: publishers, subscribers: subscribers))
    return solver.solve()
  }

  private func kilobits(_ levels: [Int?], _ ladder: [QualityLevel] = table) -> [Int64] {
    levels.map { $0.map { ladder[$0].bitrate.bitsPerSecond / 1000 } ?? 0 }
  }

  private func total(_ solution: GSOSolution) -> Int {
    solution.choices.joined().reduce(0) { $0 + ($1.ordered.map { table[$0].qoe } ?? 0) }
  }

  @Test func tableOne() {
    #expect(table.map(\.bitrate) == [100, 300, 400, 500, 600, 800, 1000, 1300, 1500].map { .kilobits($0) })
    #expect(table.map(\.qoe) == [100, 300, 360, 440, 530, 700, 750, 1050, 1200])
    #expect(table.map(\.size.lines) == [180, 180, 360, 360, 360, 360, 720, 720, 720])
  }

  /// The paper's case: A requests B up to 360p and C up to 180p; B requests A up to 720p and C up to 360p; C requests B
  /// up to 360p and A up to 720p; uplinks 5000, 600, 5000 kbps, downlinks 5000 each.
  @Test func thePublishedCase() {
    let solution = solve(
      [publisher(5000), publisher(600), publisher(5000)],
      [
        subscriber(5000, [(1, .p360), (2, .p180)]), subscriber(5000, [(0, .p720), (2, .p360)]),
        subscriber(5000, [(1, .p360), (0, .p720)]),
      ])
    #expect(kilobits(solution.orders[0]) == [0, 0, 1500])
    #expect(kilobits(solution.orders[1]) == [0, 600, 0])
    #expect(kilobits(solution.orders[2]) == [300, 800, 0])
    #expect(total(solution) == 4460)
    #expect(solution.rounds == 1)
    #expect(kilobits(solution.choices[0].map(\.ordered)) == [600, 300])
    #expect(kilobits(solution.choices[0].map(\.merged)) == [800, 300])
  }

  /// 1400 kbps for A up to 720p and B up to 360p: 700 + 530 either way. The one with the larger request gets the 800.
  @Test func tiesGoToTheLargerSizeThenToTheEarlier() {
    let publishers = [publisher(5000), publisher(5000)]
    let larger = solve(publishers, [subscriber(1400, [(0, .p360), (1, .p720)])])
    #expect(kilobits(larger.choices[0].map(\.chosen)) == [600, 800])
    let equal = solve(publishers, [subscriber(1400, [(0, .p360), (1, .p360)])])
    #expect(kilobits(equal.choices[0].map(\.chosen)) == [800, 600])
  }

  /// 530 + 530 of 1200 kbps and 700 + 360 are 1060 each: the tie goes to the first, which gets 800. One more kilobit
  /// changes nothing; at 1399 it is still 360 and 440 that come closest, at 1400 530.
  @Test func theFirstTakesTheTieOnceItFits() {
    let publishers = [publisher(5000), publisher(5000)]
    func rates(_ kilobits: Int64) -> [Int64] {
      self.kilobits(
        solve(publishers, [subscriber(kilobits, [(0, .p360), (1, .p360)])]).choices[0].map(\.chosen))
    }
    #expect(rates(1199) == [800, 300])
    #expect(rates(1200) == [800, 400])
    #expect(rates(1299) == [800, 400])
    #expect(rates(1300) == [800, 500])
    #expect(rates(1400) == [800, 600])
    #expect(rates(1600) == [800, 800])
  }

  /// 625 kbps carry 600, as in the paper's transient experiment; without the finer levels they would carry 300.
  @Test func finerLevelsUseANarrowLink() {
    let solution = solve([publisher(5000)], [subscriber(625, [(0, .p720)])])
    #expect(kilobits(solution.choices[0].map(\.chosen)) == [600])
    for (link, rate) in [(750, 600), (500, 500), (375, 300), (99, 0)] as [(Int64, Int64)] {
      #expect(
        kilobits(solve([publisher(5000)], [subscriber(link, [(0, .p720)])]).choices[0].map(\.chosen)) == [
          rate
        ])
    }
  }

  /// All viewers of a size get the rate of the narrowest of them; other sizes are unaffected.
  @Test func ofASizeAllGetTheLeast() {
    let solution = solve(
      [publisher(5000)],
      [subscriber(5000, [(0, .p720)]), subscriber(1400, [(0, .p720)]), subscriber(700, [(0, .p720)])])
    #expect(kilobits(solution.choices.map { $0[0].chosen }) == [1500, 1300, 600])
    #expect(kilobits(solution.choices.map { $0[0].ordered }) == [1300, 1300, 600])
    #expect(kilobits(solution.orders[0]) == [0, 600, 1300])
  }

  /// 1500 + 800 + 300 kbps on an uplink: reduced in place as long as 1000 + 400 + 100 fit.
  @Test func theUplinkIsReducedInPlaceBeforeASizeGoes() {
    func orders(_ uplink: Int64) -> (rates: [Int64], rounds: Int) {
      let solution = solve(
        [publisher(uplink)],
        [subscriber(5000, [(0, .p720)]), subscriber(5000, [(0, .p360)]), subscriber(5000, [(0, .p180)])])
      return (kilobits(solution.orders[0]), solution.rounds)
    }
    #expect(orders(2600) == ([300, 800, 1500], 1))
    // 1200 + 700 + 100 and 1050 + 700 + 300: the latter gains 50 at 2400; 2500 allows nothing better.
    #expect(orders(2599) == ([300, 800, 1300], 1))
    #expect(orders(2400) == ([300, 800, 1300], 1))
    // 2399: 100 + 800 + 1300 (1850), 300 + 600 + 1300 (1880), 300 + 500 + 1500 (1940), 100 + 600 + 1500 (1830).
    #expect(orders(2399) == ([300, 500, 1500], 1))
    #expect(orders(1500) == ([100, 400, 1000], 1))
    // Now 720p is dropped; its viewer requests 360p.
    #expect(orders(1499) == ([300, 800, 0], 2))
    // Two receive 360p: 1400 + 100 (1500) before 1060 + 300 (1360); at 899 it is 880 + 300 before 1060 + 100.
    #expect(orders(1100) == ([300, 800, 0], 2))
    #expect(orders(1099) == ([100, 800, 0], 2))
    #expect(orders(899) == ([300, 500, 0], 2))
    #expect(orders(500) == ([100, 400, 0], 2))
    #expect(orders(499) == ([300, 0, 0], 3))
    #expect(orders(99) == ([0, 0, 0], 4))
  }

  /// With equal totals the larger size keeps more: 1300 + 800 (1750) and 1500 + 600 (1730) aren't equal, but with the
  /// levels below they are.
  @Test func theBestCombinationPrefersTheLargerSizeInATie() {
    func level(_ size: Resolution, _ kilobits: Int64, _ qoe: Int) -> QualityLevel {
      QualityLevel(size: size, bitrate: .kilobits(kilobits), qoe: qoe)
    }
    let levels = [
      level(.p360, 400, 400), level(.p360, 500, 500), level(.p720, 1000, 1000), level(.p720, 1100, 1100),
    ]
    let solution = solve(
      [publisher(1500, levels)], [subscriber(5000, [(0, .p720)]), subscriber(5000, [(0, .p360)])])
    #expect(kilobits(solution.orders[0], levels) == [400, 1100])
  }

  /// A subscriber who loses a size spends its budget on the others.
  @Test func aRestartHandsTheRestOut() {
    let solution = solve(
      [publisher(900), publisher(5000)], [subscriber(1800, [(0, .p720), (1, .p720)])])
    // 1200 + 300 either way: the tie goes to the first, whose uplink cannot send it.
    #expect(kilobits(solution.choices[0].map(\.ordered)) == [300, 1500])
    #expect(solution.rounds == 2)
    let free = solve([publisher(5000), publisher(5000)], [subscriber(1800, [(0, .p720), (1, .p720)])])
    #expect(kilobits(free.choices[0].map(\.ordered)) == [1500, 300])
  }

  /// Speaker first: one person in a large and a small tile, with at most one level of each size.
  @Test func aSecondSubscriptionIsAVirtualPublisher() {
    let solution = solve([publisher(5000)], [subscriber(5000, [(0, .p720), (0, .p180)])])
    #expect(kilobits(solution.choices[0].map(\.ordered)) == [1500, 300])
    #expect(kilobits(solution.orders[0]) == [300, 0, 1500])
    // 180p requested twice is sent once, at the lower rate.
    let narrow = solve([publisher(5000)], [subscriber(400, [(0, .p720), (0, .p180)])])
    #expect(kilobits(narrow.choices[0].map(\.chosen)) == [300, 100])
    #expect(kilobits(narrow.choices[0].map(\.ordered)) == [100, 100])
    #expect(kilobits(narrow.orders[0]) == [100, 0, 0])
  }

  /// A camera and a screen share use one uplink; the larger size is dropped first.
  @Test func aScreenSharesTheUplinkOfItsCamera() {
    let screen = GSOLevels.screen(capture: VideoFormat(.p1080, framesPerSecond: 5))
    #expect(screen.map(\.size) == [.p1080, .p1080, .p1080])
    func solution(_ uplink: Int64) -> GSOSolution {
      solve(
        [GSOProblem.Publisher(uplink: .kilobits(uplink), sources: [table, screen])],
        [subscriber(9000, [(1, .p1080), (0, .p360)])])
    }
    #expect(kilobits(solution(2300).orders[1], screen) == [1500])
    #expect(kilobits(solution(1400).orders[1], screen) == [1000])
    #expect(kilobits(solution(1400).orders[0]) == [0, 400, 0])
    #expect(kilobits(solution(1399).orders[1], screen) == [0])
    #expect(kilobits(solution(1399).orders[0]) == [0, 800, 0])
  }

  @Test func weightsCountInTheKnapsack() {
    var problem = GSOProblem(
      publishers: [publisher(5000), publisher(5000)],
      subscribers: [subscriber(1600, [(0, .p720), (1, .p720)])])
    func chosen() -> [Int64] {
      var solver = GSOSolver(problem)
      return kilobits(solver.solve().choices[0].map(\.chosen))
    }
    // 1200 + 100 is 1300, 1050 + 300 is 1350, 700 + 700 is 1400.
    #expect(chosen() == [800, 800])
    // With a weight of 2 for the second: 100 + 2400 is 2500, 300 + 2100 is 2400, 700 + 1400 is 2100.
    problem.subscribers[0].subscriptions[1].weight = 2000
    #expect(chosen() == [100, 1500])
    // 700 + 799.4 beats 300 + 1199.1; then 700 + 800.1 loses to 300 + 1200.15.
    problem.subscribers[0].subscriptions[1].weight = 1142
    #expect(chosen() == [800, 800])
    problem.subscribers[0].subscriptions[1].weight = 1143
    #expect(chosen() == [300, 1300])
  }
}
