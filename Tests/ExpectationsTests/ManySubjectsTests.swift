import Expectations
import Metrics
import Plan
import ResultReading
import Testing

/// Expectations about every viewer, link and so on.
@Suite("Expectations about many subjects")
struct ManySubjectsTests {
  /// A run, or several runs at one point, in which tiles of ann have these scores, by viewer.
  private func report(
    _ tiles: [(viewer: String, scores: [Double?])], _ expectation: Plan.Expectation
  ) -> ExpectationReport {
    let count = tiles.first?.scores.count ?? 0
    let runs = (0..<count).map {
      RunRecord(
        runID: "r\($0)", pointID: "p", repetition: $0, seed: "1", status: "ok", error: "", variables: [])
    }
    func key(_ viewer: String, _ metric: String) -> ScalarKey {
      ScalarKey(
        scope: "tile", viewer: viewer, source: "ann", metric: metric, stat: "mean", unit: "1",
        direction: .bigger)
    }
    // A participant who is present has some value in every run.
    let present = tiles.filter { $0.viewer != "gone" }
    return ExpectationReport(
      ExpectedDirectory(
        name: "t", version: "0", file: "t.yaml", seed: "", expectations: [expectation], level: 0.95,
        results: Results(
          directory: "out", kind: .sweep, runs: runs,
          scalars: ScalarTable(
            keys: tiles.map { key($0.viewer, "mos") } + present.map { key($0.viewer, "bitrate") },
            values: tiles.map { $0.scores.map { $0 ?? .nan } }
              + present.map { _ in [Double](repeating: 1, count: count) }))))
  }

  private func expectation(
    _ viewer: String, _ relation: Plan.Expectation.Relation, _ bound: Double
  ) -> Plan.Expectation {
    Plan.Expectation(
      viewer: viewer, source: "ann", metric: "mos", stat: "mean", relation: relation, bound: bound, line: 1)
  }

  @Test func theWorstDecidesAndIsNamed() throws {
    let tiles: [(String, [Double?])] = [("bob", [4]), ("b2", [2]), ("b3", [1]), ("eve", [0])]
    let low = try #require(report(tiles, expectation("b*", .atLeast, 3)).cases.first)
    #expect(low.judgement.verdict == .fail && low.measured == "1")
    #expect(
      low.sentence
        == "mos (mean) of ann at b*: expected >= 3, measured 1; ann at b3, the worst of 3, 2 of which fail")
    let high = try #require(report(tiles, expectation("b*", .atMost, 4)).cases.first)
    #expect(high.judgement.verdict == .pass && high.worst?.viewer == "bob")
    let all = try #require(report(tiles, expectation("*", .atLeast, 1)).cases.first)
    #expect(all.judgement.verdict == .fail && all.worst?.viewer == "eve")
    #expect(all.subject == "mos (mean) of ann at everybody")
  }

  /// 2 and 2.1 fail for certain; 0 and 3.9 have a lower mean, but may hold.
  @Test func whoFailsMostClearlyIsNotCalledTheWorst() throws {
    let tiles: [(String, [Double?])] = [("b1", [2, 2, 2.1]), ("b2", [0, 0, 3.9]), ("b3", [4, 4, 4.1])]
    let one = try #require(report(tiles, expectation("b*", .atLeast, 3)).cases.first)
    #expect(one.judgement.verdict == .fail && one.worst?.viewer == "b1")
    #expect(
      one.judgement.remark
        == "ann at b1, the clearest of 3; ann at b2 has a worse mean, which varies more")
  }

  @Test func whoMeasuredNothingIsWorseThanWhoFailed() throws {
    let one = try #require(
      report([("b1", [1]), ("b2", [nil])], expectation("*", .atLeast, 3)).cases.first)
    #expect(one.worst?.viewer == "b2" && one.judgement.remark.hasSuffix("nothing was measured"))
  }

  @Test func whoIsNotThereIsNotMeant() throws {
    let one = try #require(
      report([("b1", [4]), ("gone", [nil])], expectation("*", .atLeast, 3)).cases.first)
    #expect(one.judgement.verdict == .pass && one.judgement.remark == "ann at b1, the worst of 1")
  }

  /// 4, 4 and 4 pass for certain; 2, 3 and 4 straddle 3; a fail is worse than both.
  @Test func inconclusiveIsBetweenPassAndFail() throws {
    let sure: (String, [Double?]) = ("b1", [4, 4, 4])
    let unsure: (String, [Double?]) = ("b2", [2, 3, 4])
    let bad: (String, [Double?]) = ("b3", [1, 1, 1])
    #expect(report([sure], expectation("*", .atLeast, 3)).cases[0].judgement.verdict == .pass)
    #expect(
      report([sure, unsure], expectation("*", .atLeast, 3)).cases[0].judgement.verdict == .inconclusive)
    #expect(report([sure, unsure, bad], expectation("*", .atLeast, 3)).cases[0].judgement.verdict == .fail)
  }

  @Test func aRunThatDidNotRecoverIsNoPass() {
    let never = Judgement(values: [Double.nan], relation: .atMost, bound: 5, isRecovery: true)
    #expect(never.verdict == .fail && never.remark == "it did not recover")
    let some = Judgement(values: [1, 1, .nan], relation: .atMost, bound: 5, isRecovery: true)
    #expect(some.verdict == .inconclusive && some.remark == "1 of 3 runs did not recover")
  }
}
