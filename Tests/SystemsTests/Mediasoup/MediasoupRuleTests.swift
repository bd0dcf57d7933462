import Allocation
import Ladder
import Quantity
import Systems
import Testing
import Vendors

@Suite("mediasoup's distribution")
struct MediasoupRuleTests {
  private let rule = MediasoupRule()
  /// Steps of 10 each: three temporal layers in each of two encodings.
  private let even: [[Int64]] = [[10, 20, 30], [40, 50, 60]]

  private func layers(_ subscriptions: [MeasuredSubscription], at budget: Int64) -> String {
    consumedLayers(rule.decide(subscriptions, at: budget))
  }

  // MARK: Rounds

  @Test(arguments: [
    (9, "- -"), (10, "- 0.0"), (19, "- 0.0"), (20, "0.0 0.0"), (30, "0.0 0.1"), (40, "0.0 0.2"),
    (49, "0.0 0.2"),
    (50, "0.1 0.2"), (60, "0.1 1.0"), (70, "0.1 1.1"), (80, "0.2 1.1"), (90, "0.2 1.2"), (100, "1.0 1.2"),
    (120, "1.2 1.2"), (1000, "1.2 1.2"),
  ])
  func everyoneHasALayerBeforePriorityCounts(budget: Int64, expected: String) {
    // The second has priority 2: two steps in every round but the first, and first place.
    #expect(layers([consumed(even), consumed(even, priority: 2)], at: budget) == expected)
  }

  @Test func equalPrioritiesGoByTheOrderOfTheMeeting() {
    #expect(layers([consumed(even), consumed(even)], at: 30) == "0.1 0.0")
    let ranks = rule.decide([consumed(even), consumed(even, priority: 255), consumed(even)], at: 30)
    #expect(ranks.decisions.map(\.rank) == [2, 1, 3])
  }

  /// After the first round 70 are left; the first priority takes 50 of them, if it may take five steps.
  @Test func theHighestPriorityTakesAllItsSteps() {
    #expect(layers([consumed(even), consumed(even, priority: 255)], at: 70) == "0.0 1.2")
    #expect(layers([consumed(even), consumed(even, priority: 4)], at: 70) == "0.1 1.1")
  }

  /// If a step does not fit one consumer, the round continues for the others.
  @Test func aStepThatDoesNotFitEndsATurnOnly() {
    let big: [[Int64]] = [[10, 1000]]
    #expect(layers([consumed(big, priority: 9), consumed(even)], at: 80) == "0.0 1.2")
  }

  // MARK: Costs

  /// 150 in place of 200 costs 1 bit/s; 260 in its place costs 60.
  @Test func aHigherStreamCostsWhatItTakesBeyondTheLowerOne() {
    #expect(layers([consumed([[100, 200], [150]])], at: 200) == "0.1")
    #expect(layers([consumed([[100, 200], [150]])], at: 201) == "1.0")
    #expect(layers([consumed([[100, 200], [200]])], at: 200) == "0.1")
    #expect(layers([consumed([[100, 200], [260]])], at: 259) == "0.1")
    #expect(layers([consumed([[100, 200], [260]])], at: 260) == "1.0")
  }

  @Test func aTemporalLayerThatDoesNotArriveIsPassedByTheNextStream() {
    #expect(layers([consumed([[100, 100, 300], [400]])], at: 399) == "0.0")
    #expect(layers([consumed([[100, 100, 300], [400]])], at: 400) == "1.0")
    #expect(layers([consumed([[100, 0], [0, 0], [400, 500]])], at: 500) == "2.1")
    #expect(layers([consumed([[0, 0], [0, 0]])], at: 500) == "-")
  }

  // MARK: Preferred layers

  @Test func thePreferredTemporalLayerCountsInThePreferredStreamOnly() {
    let ceilings = [(0, 0), (0, 1), (1, 0), (1, 1), (7, 0), (7, 9)].map {
      LayerID(encoding: $0.0, temporal: $0.1)
    }
    #expect(
      layers(ceilings.map { consumed(even, ceiling: $0) }, at: 1000) == "0.0 0.1 1.0 1.1 1.0 1.2")
    // On the way to 1.0, all layers of the lower stream are steps.
    #expect(layers([consumed(even, ceiling: LayerID(encoding: 1, temporal: 0))], at: 39) == "0.2")
  }

  @Test func aHigherStreamStoodInForADeadPreferredOneInEarlierVersions() {
    let dead: [[Int64]] = [[10, 20], [0, 0], [40, 50]]
    let wanted = [
      consumed(dead, ceiling: LayerID(encoding: 1, temporal: 0)),
      consumed([[0, 0], [30, 40], [50, 60]], ceiling: LayerID(encoding: 0, temporal: 1)),
      consumed(dead, ceiling: LayerID(encoding: 0, temporal: 1)),
    ]
    #expect(layers(wanted, at: 1000) == "0.1 - 0.1")
    // If it is passed, the search ends with the first stream that arrives, without a temporal limit.
    var parameters = MediasoupParameters()
    parameters.climbsPastDeadPreferred = true
    #expect(consumedLayers(MediasoupRule(parameters).decide(wanted, at: 1000)) == "2.1 1.1 0.1")
  }

  // MARK: Ages

  @Test(arguments: [(1999, 2000, "0.0"), (2000, 2000, "1.0"), (1999, 1999, "1.0"), (0, 0, "1.0")])
  func aYoungStreamDoesNotReplaceAnOldOne(upper: Int64, lower: Int64, expected: String) {
    var source = consumed([[10], [20]])
    source.ages = [.milliseconds(lower), .milliseconds(upper)]
    let outcome = rule.decide([source], at: 100)
    #expect(consumedLayers(outcome) == expected)
    #expect(outcome.decisions[0].ideal == LayerID(encoding: 1, temporal: 0))
    #expect(outcome.decisions[0].hindrance == (expected == "1.0" ? nil : .hold))
    #expect(outcome.decisions[0].missing == .zero)
  }

  @Test func aYoungStreamIsTakenWhereNothingElseIsAndPassedForAnOlderOne() {
    var source = consumed([[0], [20], [30]])
    source.ages = [nil, .zero, nil]
    #expect(layers([source], at: 25) == "1.0")
    var middle = consumed([[10], [20], [30]])
    middle.ages = [nil, .milliseconds(1999)]
    #expect(layers([middle], at: 25) == "0.0")
    #expect(layers([middle], at: 30) == "2.0")
  }

  // MARK: The conservative period

  private func held(
    for age: Int64?, current: LayerID?, priority: Int = 1, rates: [[Int64]]
  ) -> MeasuredSubscription {
    var source = consumed(rates, priority: priority)
    source.current = current
    source.sinceDowngrade = age.map { .milliseconds($0) }
    return source
  }

  @Test func nothingClimbsAboveTheCurrentStreamForTenSeconds() {
    let current = LayerID(encoding: 0, temporal: 0)
    let early = rule.decide([held(for: 9999, current: current, rates: even)], at: 1000)
    #expect(consumedLayers(early) == "0.2")
    #expect(early.decisions[0].hindrance == .hold)
    #expect(early.decisions[0].ideal == LayerID(encoding: 1, temporal: 2))
    #expect(layers([held(for: 10_000, current: current, rates: even)], at: 1000) == "1.2")
    #expect(layers([held(for: nil, current: current, rates: even)], at: 1000) == "1.2")
    #expect(
      layers([held(for: 0, current: LayerID(encoding: 1, temporal: 0), rates: even)], at: 1000) == "1.2")
    // Below that, bandwidth is the limitation.
    let poor = rule.decide([held(for: 9999, current: current, rates: even)], at: 15).decisions[0]
    #expect(poor.hindrance == .bandwidth)
    #expect(poor.missing == BitRate(bitsPerSecond: 5))
  }

  /// Without a current stream every stream is above it: only the first layer is taken, whichever stream it belongs to.
  @Test func withoutACurrentStreamOnlyOneLayerIsTaken() {
    #expect(layers([held(for: 0, current: nil, rates: even)], at: 1000) == "0.0")
    let current = LayerID(encoding: 0, temporal: 0)
    #expect(layers([held(for: 0, current: current, rates: [[0, 0], [30, 40]])], at: 1000) == "1.0")
  }

  // MARK: Downgrades

  private func isDowngrade(
    at budget: Int64, current: LayerID?, target: LayerID? = LayerID(encoding: 1, temporal: 2),
    ceiling: LayerID? = nil, age: SimDuration? = nil
  ) -> Bool {
    var source = consumed(even, ceiling: ceiling)
    source.current = current
    source.target = target
    source.age = age
    return rule.decide([source], at: budget).decisions[0].isDowngrade
  }

  @Test func aLowerStreamThatBandwidthForcesIsADowngrade() {
    let upper = LayerID(encoding: 1, temporal: 2)
    #expect(isDowngrade(at: 39, current: upper))
    // The same stream, a pause, an already decided one and one requested by the app are not downgrades.
    #expect(!isDowngrade(at: 40, current: upper))
    #expect(!isDowngrade(at: 9, current: upper))
    #expect(!isDowngrade(at: 39, current: upper, target: LayerID(encoding: 0, temporal: 2)))
    #expect(!isDowngrade(at: 1000, current: upper, ceiling: LayerID(encoding: 0, temporal: 2)))
    #expect(!isDowngrade(at: 39, current: LayerID(encoding: 0, temporal: 0)))
    #expect(!isDowngrade(at: 39, current: nil))
  }

  /// The consumer's age counts, 8 s, not the source's.
  @Test func aYoungConsumerHasNoDowngrade() {
    let upper = LayerID(encoding: 1, temporal: 2)
    let eight = SimDuration.seconds(8)
    #expect(!isDowngrade(at: 39, current: upper, age: eight))
    #expect(isDowngrade(at: 39, current: upper, age: eight + .milliseconds(1)))
  }

  // MARK: Simple consumers

  /// Simple consumers flow whatever is left, and are charged for it.
  @Test func aSourceWithASingleLayerAlwaysFlows() {
    let screen = consumed([[100]])
    #expect(layers([screen, consumed(even)], at: 0) == "0.0 -")
    #expect(layers([screen, consumed(even)], at: 109) == "0.0 -")
    #expect(layers([screen, consumed(even)], at: 110) == "0.0 0.0")
    // Those served earlier keep what they have.
    #expect(layers([consumed(even), screen, consumed(even)], at: 10) == "0.0 0.0 -")
    let outcome = rule.decide([screen, consumed(even)], at: 40)
    #expect(outcome.margin.rise == 70)
    #expect(outcome.decisions.map(\.missing) == [.zero, BitRate(bitsPerSecond: 70)])
    #expect(outcome.decisions.map(\.hindrance) == [nil, .bandwidth])
    #expect(layers([consumed([[0]])], at: 10) == "-")
  }

  @Test func temporalLayersOrSeveralEncodingsArePaused() {
    #expect(layers([consumed([[100, 200]])], at: 99) == "-")
    #expect(layers([consumed([[100], [200]])], at: 99) == "-")
  }

  // MARK: REMB

  /// 1.08 x 999 is 1078.92, of which upstream keeps 1078; 1.08 x 1000 is 1080.
  @Test func aStepMayTakeEightPercentMoreOfAREMB() {
    var parameters = MediasoupParameters()
    parameters.remb = true
    let remb = MediasoupRule(parameters)
    #expect(consumedLayers(remb.decide([consumed([[1080, 2000]])], at: 999)) == "-")
    #expect(consumedLayers(remb.decide([consumed([[1080, 2000]])], at: 1000)) == "0.0")
    #expect(remb.decide([consumed([[1080, 2000]])], at: 990).margin.rise == 10)
    // The remainder is charged in full: nothing of a second consumer fits until the first is paid in full.
    let two = [consumed([[1080, 9000]]), consumed([[1, 9000]])]
    #expect(consumedLayers(remb.decide(two, at: 1000)) == "0.0 -")
    #expect(consumedLayers(remb.decide(two, at: 1080)) == "0.0 -")
    #expect(consumedLayers(remb.decide(two, at: 1081)) == "0.0 0.0")
  }

  // MARK: Sources without a consumer

  @Test func pausedAndAbsentConsumersTakeNothing() {
    var absent = consumed(even)
    absent.wish.absence = .muted
    let outcome = rule.decide(
      [consumed(even, visibility: .offScreen), absent, consumed(even, visibility: .hidden), consumed(even)],
      at: 10)
    #expect(consumedLayers(outcome) == "- - - 0.0")
    #expect(outcome.decisions.map(\.rank) == [2, 3, 4, 1])
    #expect(outcome.decisions.map(\.ideal).prefix(3).allSatisfy { $0 == nil })
    #expect(rule.decide([], at: 10).margin.rise == nil)
  }

  @Test func missingIsWhatTheNextLayerNeedsBeyondWhatIsLeft() {
    let outcome = rule.decide([consumed([[10, 50]]), consumed([[10, 30]])], at: 25)
    #expect(consumedLayers(outcome) == "0.0 0.0")
    #expect(outcome.decisions.map(\.missing.bitsPerSecond) == [35, 15])
    #expect(outcome.margin.rise == 15)
  }

  @Test func anUnlimitedBudgetGrantsEverything() {
    let outcome = rule.decide([consumed(even), consumed([[100]])], at: .max)
    #expect(consumedLayers(outcome) == "1.2 0.0")
    #expect(outcome.margin.rise == nil)
  }
}
