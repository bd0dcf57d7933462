import Expectations
import Metrics
import Plan
import ResultReading
import Statistics
import Testing

@Suite("Judged expectations")
struct JudgementTests {
  /// Mean 10, standard deviation 1, n = 5: the interval is 10 ± 2.776 / √5 = 8.758 … 11.242.
  private let five = [9.0, 9.0, 10.0, 11.0, 11.0]

  @Test(
    arguments: [
      (.atLeast, 8.7, .pass), (.atLeast, 8.8, .inconclusive), (.atLeast, 11.2, .inconclusive),
      (.atLeast, 11.3, .fail),
      (.atMost, 11.3, .pass), (.atMost, 10, .inconclusive), (.atMost, 8.7, .fail), (.above, 8.7, .pass),
      (.above, 11.3, .fail), (.below, 11.3, .pass), (.below, 8.7, .fail), (.below, 10, .inconclusive),
      (.equal, 10, .inconclusive), (.equal, 12, .fail), (.equal, 8, .fail),
    ] as [(Plan.Expectation.Relation, Double, Verdict)])
  func theIntervalDecides(relation: Plan.Expectation.Relation, bound: Double, verdict: Verdict) throws {
    let judgement = Judgement(values: five, relation: relation, bound: bound)
    #expect(judgement.verdict == verdict)
    let interval = try #require(judgement.estimate?.interval)
    #expect(abs(interval.low - 8.7583) < 1e-4 && abs(interval.high - 11.2417) < 1e-4)
  }

  @Test func whatDoesNotVaryIsCertain() {
    #expect(Judgement(values: [3, 3, 3], relation: .atLeast, bound: 3).verdict == .pass)
    #expect(Judgement(values: [3, 3, 3], relation: .above, bound: 3).verdict == .fail)
    #expect(Judgement(values: [3, 3, 3], relation: .equal, bound: 3).verdict == .pass)
  }

  @Test func oneRunIsComparedAsItIs() {
    let good = Judgement(values: [720], relation: .atLeast, bound: 720)
    #expect(good.verdict == .pass && good.remark.isEmpty)
    #expect(Judgement(values: [719], relation: .atLeast, bound: 720).verdict == .fail)
  }

  @Test func runsThatMeasuredNothingAreNoPass() {
    #expect(Judgement(values: [Double.nan, .nan], relation: .atLeast, bound: 0).verdict == .fail)
    let none = Judgement(values: [Double](), relation: .atMost, bound: 0)
    #expect(none.verdict == .inconclusive && none.remark == "no run has finished")
    let some = Judgement(values: five + [.nan], relation: .atLeast, bound: 1)
    #expect(some.verdict == .inconclusive && some.remark == "1 of 6 runs measured nothing")
    #expect(Judgement(values: five + [.nan], relation: .atLeast, bound: 99).verdict == .fail)
    #expect(Judgement(values: [720, .nan], relation: .atLeast, bound: 720).verdict == .inconclusive)
  }

  @Test func anInconclusiveOneSaysHowManyRunsWouldTell() {
    // A half-width of 1.2417 has to become 0.5: 5 · (1.2417 / 0.5)² = 30.8.
    #expect(
      Judgement(values: five, relation: .atLeast, bound: 9.5).remark
        == "about 31 runs instead of 5 would decide")
  }

  @Test func tooFewRunsForecastNothing() {
    let two = Judgement(values: [2.0, 4], relation: .atLeast, bound: 2.5)
    #expect(two.verdict == .inconclusive && two.remark == "too few runs to tell")
    // Half-widths of 4.303 · 2 / √3 = 4.968 to 0.01: 3 · 496.8² = 740,000 runs; to 0.3: 3 · 16.56² = 823.
    #expect(Judgement(values: [1, 3, 5], relation: .atLeast, bound: 3.01).remark == "too few runs to tell")
    #expect(
      Judgement(values: [1, 3, 5], relation: .atLeast, bound: 2.7).remark
        == "about 823 runs instead of 3 would decide")
  }

  /// 3 ± 4.968 is 1 to 5 of a score, 0 to 7.968 of a duration and anything of a part of the gap.
  @Test(arguments: [
    ("mos", "1 to 5 (95 %, n = 3)"), ("freezes_duration", "0 to 7.96828 (95 %, n = 3)"),
    ("gap_loss", "-1.96828 to 7.96828 (95 %, n = 3)"),
  ])
  func anIntervalEndsWhereItsMetricDoes(metric: String, interval: String) {
    var expectation = MadeReport.expectation(.atLeast, 3)
    expectation.metric = metric
    #expect(MadeReport.sweep([[1, 3, 5]], [expectation], metric: metric).cases[0].interval == interval)
  }

  /// The mean of 5, 1 and 3 is 3.
  @Test(arguments: [(.atLeast, "r1 has 1"), (.atMost, "r0 has 5")] as [(Plan.Expectation.Relation, String)])
  func theWorstRunIsNamedWithItsOwnValue(relation: Plan.Expectation.Relation, run: String) {
    let report = MadeReport.sweep([[5, 1, 3, nil]], [MadeReport.expectation(relation, 3)])
    #expect(report.cases[0].sentence.hasSuffix("; worst run \(run)"))
    #expect(report.cases[0].asWorst == "worst mean 3 at capacity 0 bps; its worst run \(run)")
  }

  @Test func theOnlyRunOfAPointNeedsNoSecondValue() {
    let report = MadeReport.sweep([[2]], [MadeReport.expectation(.atLeast, 3)])
    #expect(report.cases[0].sentence.hasSuffix("measured 2; run r0"))
    #expect(report.cases[0].asWorst == "worst 2 at capacity 0 bps, run r0")
  }

  /// Whoever is in the worst seat, the meeting has one value in each run.
  @Test func aValueOfTheMeetingIsOneWhoeverIsNamedWithIt() {
    let keys = ["ann", "bob"].map {
      ScalarKey(
        scope: "meeting", viewer: $0, source: "", metric: "worst_seat", stat: "mean", unit: "1",
        direction: .bigger)
    }
    let runs = (0...1).map {
      RunRecord(
        runID: "r\($0)", pointID: "p", repetition: $0, seed: "1", status: "ok", error: "", variables: [])
    }
    let table = ScalarTable(keys: keys, values: [[0.5, .nan], [.nan, 0.7]])
    let report = ExpectationReport(
      ExpectedDirectory(
        name: "made", version: "0", file: "made.yaml", seed: "",
        expectations: [
          Plan.Expectation(
            scope: .meeting, viewer: "", source: "", metric: "worst_seat", stat: "mean", relation: .atLeast,
            bound: 0, line: 1)
        ], level: 0.95,
        results: Results(directory: "out", kind: .sweep, runs: runs, scalars: table)))
    let judgement = report.cases[0].judgement
    #expect(judgement.estimate?.count == 2 && abs((judgement.estimate?.mean ?? 0) - 0.6) < 1e-12)
    #expect(judgement.runsWithoutValue == 0)
  }

  /// Up to four significant digits are as people write them; more are those of a range.
  @Test(arguments: [
    ("598511", "599 kbps"), ("2400000", "2.4 Mbps"), ("1234000", "1.234 Mbps"), ("1339980", "1.34 Mbps"),
    ("2004980", "2 Mbps"),
  ])
  func valuesOfRangesHaveThreeDigits(value: String, text: String) {
    #expect(PointText.value(.init(name: "capacity_bps", value: value)) == text)
  }

  @Test func everyExpectationIsJudgedAtEveryPoint() {
    let report = MadeReport.sweep(
      [[4, 4.1, 4.2], [2, 2.1, nil], [1, 5, 3]],
      [MadeReport.expectation(.atLeast, 3), MadeReport.expectation(.atMost, 5, line: 8)])
    #expect(
      report.cases.map(\.judgement.verdict) == [.pass, .fail, .inconclusive, .pass, .pass, .inconclusive])
    #expect(report.cases.map(\.expectation.line) == [7, 7, 7, 8, 8, 8])
    #expect(report.cases[1].point == "capacity 1 bps")
    #expect(report.unfinished.map(\.runID) == ["r5"])
    // The failed run contributes no value: two are left.
    #expect(report.cases[1].judgement.estimate?.count == 2)
    #expect(
      report.cases[0].sentence
        == "mos (mean) of bob at ann with capacity 0 bps: expected >= 3, measured 4.1, "
        + "interval 3.85159 to 4.34841 (95 %, n = 3)")
  }

  @Test func aMetricThatTheTableDoesNotHaveFails() {
    var other = MadeReport.expectation(.atLeast, 0)
    other.metric = "bitrate"
    let report = MadeReport.sweep([[4, 4.1]], [other])
    #expect(report.cases[0].judgement.verdict == .fail)
    #expect(report.cases[0].judgement.remark == "nothing was measured")
  }

  /// With 100 runs, the 95 % interval of the 5 % quantile lies between the first and the eleventh value; binomial
  /// tails: P(X <= 0) = 0.006, P(X <= 1) = 0.037, P(X >= 11) = 0.011, P(X >= 10) = 0.028.
  @Test(arguments: [(0.5, Verdict.pass), (5, .inconclusive), (12, .fail)] as [(Double, Verdict)])
  func whatMostRunsReachIsJudgedByOrderStatistics(bound: Double, verdict: Verdict) {
    let values = (1...100).map(Double.init)
    let judgement = Judgement(values: values, relation: .atLeast, bound: bound, probability: 0.05)
    #expect(judgement.verdict == verdict)
    #expect(judgement.remark.isEmpty)
  }

  /// (1 - 0.05)^71 = 0.026: with fewer runs, no value is certain to lie below the 5 % quantile.
  @Test func aQuantileOfFewRunsIsInconclusiveAndSaysWhatItTakes() {
    let judgement = Judgement(
      values: [Double](repeating: 720, count: 71), relation: .atLeast, bound: 1, probability: 0.05)
    #expect(judgement.verdict == .inconclusive)
    #expect(judgement.remark == "not enough runs: an interval for this quantile needs 72")
  }
}
