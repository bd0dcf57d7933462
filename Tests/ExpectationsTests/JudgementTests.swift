import Expectations
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

  @Test func everyExpectationIsJudgedAtEveryPoint() {
    let report = MadeReport.sweep(
      [[4, 4.1, 4.2], [2, 2.1, nil], [1, 5, 3]],
      [MadeReport.expectation(.atLeast, 3), MadeReport.expectation(.atMost, 5, line: 8)])
    #expect(
      report.cases.map(\.judgement.verdict) == [.pass, .fail, .inconclusive, .pass, .pass, .inconclusive])
    #expect(report.cases.map(\.expectation.line) == [7, 7, 7, 8, 8, 8])
    #expect(report.cases[1].point == "capacity_bps=1")
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
