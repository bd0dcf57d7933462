import Comparison
import Metrics
import ResultReading
import Statistics
import Testing

@Suite("Ranking of variants")
struct VariantRankingTests {
  /// Runs of labelled variants, the base first, with one value of a tile for each repetition.
  private func results(
    _ values: [(label: String, values: [Double])], _ metric: String = "freezes_duration",
    _ direction: ScalarRow.Direction = .smaller,
    others: [(viewer: String, metric: String, values: [Double])] = []
  ) -> Results {
    var runs: [RunRecord] = []
    for variant in values {
      for repetition in variant.values.indices {
        runs.append(
          RunRecord(
            runID: "r\(runs.count)", pointID: variant.label, repetition: repetition, seed: "1", status: "ok",
            error: "", variables: [.init(name: "variant", value: variant.label)]))
      }
    }
    func key(_ viewer: String, _ metric: String, _ direction: ScalarRow.Direction) -> ScalarKey {
      ScalarKey(
        scope: "tile", viewer: viewer, source: "teacher", metric: metric, stat: "total", unit: "s",
        direction: direction)
    }
    let keys =
      [key("guest", metric, direction)]
      + others.map { key($0.viewer, $0.metric, $0.metric == "mos" ? .bigger : .smaller) }
    return Results(
      directory: "made", kind: .sweep, runs: runs,
      scalars: ScalarTable(keys: keys, values: [values.flatMap(\.values)] + others.map(\.values)))
  }

  private func ranking(_ results: Results, _ metric: String = "freezes_duration", looks: Int = 1) throws
    -> VariantRanking
  {
    VariantRanking(
      results,
      by: try VariantRanking.Subject(
        metric: metric, stat: nil, viewer: "guest", source: "teacher", in: results),
      level: 0.95, looks: looks)
  }

  @Test func theBestComesFirstAndOnlyWhatIsShownIsClear() throws {
    let found = try ranking(
      results([
        ("as it is", [10, 12, 14]), ("same", [10, 12, 14]), ("five less", [5, 7, 9]),
        ("ten more", [20, 22, 24]),
        ("mixed", [11, 11, 17]),
      ]))
    #expect(found.rows.map(\.label) == ["five less", "as it is", "same", "mixed", "ten more"])
    #expect(found.rows.map(\.verdict) == [.better, .base, .same, .notShown, .worse])
    #expect(found.rows[0].difference?.difference == -5 && found.rows[0].mean == 7 && found.pairs == 3)
    // 'mixed' could still go either way.
    #expect(!found.isDecided && found.undecided.contains("mixed"))
  }

  /// Differences 1, 2, 3, 2 have a mean of 2 and a standard deviation of 0.816: the half-width is 1.94 for three looks
  /// and 2.15 for four.
  @Test(arguments: [(3, VariantRanking.Verdict.worse), (4, .notShown)])
  func everyLookWidensTheIntervals(looks: Int, verdict: VariantRanking.Verdict) throws {
    let found = try ranking(results([("as it is", [5, 5, 5, 5]), ("other", [6, 7, 8, 7])]), looks: looks)
    #expect(found.rows[1].verdict == verdict && found.isDecided == (verdict == .worse))
  }

  /// Three variants make five comparisons with the base and the best: a half-width of 2.39.
  @Test func everyVariantWidensTheIntervals() throws {
    let base = [5.0, 5, 5, 5]
    let found = try ranking(
      results([("as it is", base), ("a", base), ("b", base), ("other", [6, 7, 8, 7])]))
    #expect(found.rows.last?.label == "other" && found.rows.last?.verdict == .notShown)
  }

  /// Against four runs that freeze for 9 s, four without a freeze are better, unless they show next to nothing.
  @Test(arguments: [
    (1.0, 0.001, VariantRanking.Verdict.better), (0.1, 0.3, .better), (0.1, 0.001, .notShown),
  ])
  func nobodyWinsOnTheFreezesOfPicturesThatItDoesNotShow(
    rate: Double, share: Double, verdict: VariantRanking.Verdict
  ) throws {
    let found = try ranking(
      results(
        [("as it is", [9, 10, 8, 9]), ("dark", [0, 0, 0, 0])],
        others: [
          ("guest", "frames_per_second", [30, 30, 30, 30] + Array(repeating: rate, count: 4)),
          ("guest", "pixels_of_screen", [1, 1, 1, 1] + Array(repeating: share, count: 4)),
        ]))
    #expect(found.rows.first { $0.label == "dark" }?.verdict == verdict)
  }

  /// Eight seconds less in freezes, but ten more without frames: 0.4 s are too few to matter.
  @Test(arguments: [
    (10.0, VariantRanking.Verdict.darker, ["as it is", "paused"]), (0.4, .better, ["paused", "as it is"]),
  ])
  func whoeverShowsLessDoesNotWinOnFreezes(
    more: Double, verdict: VariantRanking.Verdict, order: [String]
  ) throws {
    let found = try ranking(
      results(
        [("as it is", [9, 10, 8, 9]), ("paused", [1, 2, 0, 1])],
        others: [("guest", "time_without_frames", [9, 10, 8, 9] + [9, 10, 8, 9].map { $0 + more })]))
    #expect(found.rows.map(\.label) == order)
    let row = try #require(found.rows.first { $0.label == "paused" })
    #expect(row.verdict == verdict && row.darkness == (verdict == .darker ? 10 : nil))
  }

  /// Three seconds more in freezes are no loss for a tile that is without frames for four seconds less, but for one with
  /// two less.
  @Test(arguments: [(4.0, 0), (2, 1)])
  func freezesOfMorePicturesAreNoLoss(fewer: Double, losses: Int) throws {
    let found = try ranking(
      results(
        [("as it is", [9, 10, 8, 9]), ("less", [1, 2, 0, 1])],
        others: [
          ("peer", "freezes_duration", [1, 1, 1.5, 1, 4, 4, 4.5, 4]),
          ("peer", "time_without_frames", [9, 9, 9, 9] + Array(repeating: 9 - fewer, count: 4)),
        ]))
    #expect(found.rows[0].losses.count == losses)
  }

  @Test func runsThatDoNotDifferAtAllAreDecided() throws {
    #expect(try ranking(results([("as it is", [1, 2]), ("same", [1, 2])])).isDecided)
  }

  /// One of four runs of 'dark' has a value, the least of all: it comes last, and without any there is nothing to decide.
  @Test func whatIsMeasuredInFewRunsComesLast() throws {
    let shown = [("as it is", [9.0, 10, 8, 9]), ("same", [9.0, 10, 8, 9])]
    let few = try ranking(results(shown + [("dark", [.nan, 1, .nan, .nan])]))
    #expect(few.rows.map(\.label) == ["as it is", "same", "dark"])
    #expect(few.rows.map(\.count) == [4, 4, 1] && few.rows[2].mean == 1 && !few.isDecided)
    let half = try ranking(results(shown + [("dark", [.nan, 1, .nan, 2])]))
    #expect(half.rows.map(\.label) == ["dark", "as it is", "same"])
    let none = try ranking(results(shown + [("dark", [.nan, .nan, .nan, .nan])]))
    #expect(none.rows.map(\.label) == ["as it is", "same", "dark"] && none.isDecided)
  }

  /// 18 and 26 against 20 and 30 are three less on average, although a variant at 18 in all three runs has less.
  @Test func meansAndDifferencesAreOfTheSameRuns() throws {
    let found = try ranking(
      results([
        ("as it is", [10, 20, 30, .nan]), ("two less", [8, 18, 28, .nan]),
        ("three less", [.nan, 18, 26, 40]),
      ]))
    #expect(found.rows.map(\.label) == ["three less", "two less", "as it is"])
    #expect(found.rows.map(\.mean) == [22, 18, 20] && found.rows.map(\.baseMean) == [25, 20, nil])
    #expect(found.rows.map { $0.difference?.difference } == [-3, -2, nil])
    #expect(found.rows.map(\.missing) == [1, 0, 1] && found.rows.map(\.additional) == [1, 0, 0])
  }

  @Test func whatWasNotMeasuredIsNotBetter() throws {
    let found = try ranking(
      results([("as it is", [9, 9, 9, 9]), ("dark", [1, 1, 1, .nan])], "first_frame_delay"),
      "first_frame_delay")
    #expect(found.rows[0].label == "dark" && found.rows[0].missing == 1 && found.rows[0].verdict == .notShown)
  }

  @Test func tilesThatLoseAreNamedWithHowMuch() throws {
    let found = try ranking(
      results(
        [("as it is", [9, 9.5, 10, 9]), ("less", [1, 1.5, 2, 1])],
        others: [
          ("guest", "mos", [4, 4, 4.1, 4, 3, 3, 3.1, 3]),
          ("host", "mos", [4, 4, 4.1, 4, 3.95, 3.95, 4.05, 3.95]),
          ("peer", "freezes_duration", [0, 0, 0, 0, 3, 3, 3.5, 3]),
        ]))
    let losses = found.rows[0].losses
    // A twentieth of a score is not a loss worth reporting.
    #expect(losses.map(\.viewer) == ["guest", "peer"])
    #expect(abs((losses.first?.base ?? 0) - 4.025) < 1e-9 && abs((losses.first?.new ?? 0) - 3.025) < 1e-9)
  }

  @Test func aTileThatIsGoneIsALoss() throws {
    let found = try ranking(
      results(
        [("as it is", [9, 9.5]), ("less", [1, 1.5])],
        others: [("peer", "mos", [4, 4.5, .nan, .nan]), ("peer", "freezes_duration", [0, 0, .nan, .nan])]))
    #expect(found.rows[0].losses.count == 1 && found.rows[0].losses.first?.base == 4.25)
    #expect(found.rows[0].losses.first.map { $0.new == nil } == true)
  }

  /// One of four runs shows the tile for a moment, which counts as gone; with two it counts as shown, and worse.
  @Test func aTileThatFewRunsShowIsGone() throws {
    func losses(_ new: [Double]) throws -> [VariantRanking.Loss] {
      try ranking(
        results(
          [("as it is", [9, 9.5, 10, 9]), ("less", [1, 1.5, 2, 1])],
          others: [("peer", "mos", [4, 4.5, 4, 4.5] + new)])
      ).rows[0].losses
    }
    let gone = try losses([.nan, .nan, .nan, 1])
    #expect(gone.count == 1 && gone[0].base == 4.25 && gone[0].new == nil)
    let worse = try losses([1, 1.5, .nan, .nan])
    #expect(worse.count == 1 && worse[0].base == 4.25 && worse[0].new == 1.25)
  }

  @Test func aMetricWithoutADirectionIsRefused() {
    let made = results([("as it is", [1, 2])], "bitrate", .neither)
    #expect(
      throws: ComparisonError(
        description: "neither more nor less 'bitrate' is better: rank by another metric")
    ) {
      try ranking(made, "bitrate")
    }
    #expect(
      throws: ComparisonError(description: "no run has a value 'mos' of viewer 'guest' and source 'teacher'")
    ) {
      try ranking(made, "mos")
    }
  }
}
