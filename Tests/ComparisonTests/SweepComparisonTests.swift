import Comparison
import Metrics
import ResultReading
import Statistics
import Testing

private func isClose(_ value: Double?, _ expected: Double) -> Bool {
  value.map { abs($0 - expected) < 1e-6 } ?? false
}

@Suite("Comparing sweeps")
struct SweepComparisonTests {
  /// Hours of sleep of ten patients under two drugs (Student 1908): p = 0.002832890 when paired.
  @Test func aPairedDifferenceIsTheKnownOne() throws {
    var base = MadeSweep(repetitions: 10)
    base.add("sleep", [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0])
    base.add("other", [1, 2, 1, 2, 1, 2, 1, 2, 1, 2])
    var new = MadeSweep(repetitions: 10)
    new.add("sleep", [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4])
    new.add("other", [2, 1, 2, 1, 2, 1, 2, 1, 2, 1])
    let comparison = try SweepComparison(base: base.results, new: new.results, rule: ComparisonRule())
    let row = try #require(comparison.rows.first)
    #expect(row.key.metric == "sleep" && row.verdict == .better && row.count == 10)
    // Two tests: the smaller p-value is doubled, and its interval is at 97.5 %; t with nine pairs is 2.685011 there.
    #expect(isClose(row.level, 0.975) && isClose(row.difference.interval?.low, 0.5356416))
    #expect(isClose(row.adjustedPValue, 2 * 0.002832890))
    #expect(isClose(row.relative, 1.58 / 0.75))
    #expect(comparison.rows[1].verdict == .notShown)
    // Unpaired, the interval is 3.3654832 + 0.2054832 wide; paired, 2.4598858 - 0.7001142.
    let single = try SweepComparison(
      base: one(base, "sleep"), new: one(new, "sleep"), rule: ComparisonRule())
    #expect(isClose(single.rows[0].difference.interval?.low, 0.7001142) && single.rows[0].level == 0.95)
    #expect(isClose(single.narrowing, 3.5709664 / 1.7597716))
  }

  private func one(_ sweep: MadeSweep, _ metric: String) -> Results {
    let place = sweep.keys.indices.filter { sweep.keys[$0].metric == metric }
    return Results(
      directory: "made", kind: .sweep, runs: sweep.runs,
      scalars: ScalarTable(keys: place.map { sweep.keys[$0] }, values: place.map { sweep.values[$0] }))
  }

  @Test func directionSizeAndOrderDecide() throws {
    var base = MadeSweep(repetitions: 4)
    var new = MadeSweep(repetitions: 4)
    // A shift that is the same in every pair is certain; its verdict depends on the direction and on its size.
    for (metric, direction, shift) in [
      ("same", ScalarRow.Direction.bigger, 0.0), ("little", .smaller, 0.05), ("up", .bigger, 1),
      ("delay", .smaller, 1), ("worst", .bigger, -5), ("rate", .neither, 3),
    ] {
      base.add(metric, [10, 11, 9, 10], direction)
      new.add(metric, [10, 11, 9, 10].map { $0 + shift }, direction)
    }
    let comparison = try SweepComparison(base: base.results, new: new.results, rule: ComparisonRule())
    #expect(
      comparison.rows.map { "\($0.key.metric) \($0.verdict.rawValue)" } == [
        "worst worse", "delay worse", "up better", "little too small", "same not shown",
      ])
    #expect(comparison.undirectedMetrics == 1)
    let strict = ComparisonRule(minimumEffect: 0.001)
    let sensitive = try SweepComparison(base: base.results, new: new.results, rule: strict)
    #expect(sensitive.rows.map(\.key.metric).prefix(3) == ["worst", "delay", "little"])
  }

  @Test func anyChangeFromNothingCounts() throws {
    var base = MadeSweep(repetitions: 3)
    base.add("freezes", [0, 0, 0], .smaller)
    var new = MadeSweep(repetitions: 3)
    new.add("freezes", [2, 2, 2], .smaller)
    let comparison = try SweepComparison(base: base.results, new: new.results, rule: ComparisonRule())
    #expect(comparison.rows[0].verdict == .worse && comparison.rows[0].relative == nil)
  }

  @Test func oneRunIsNotEnough() throws {
    var base = MadeSweep(repetitions: 1)
    base.add("mos", [4])
    var new = MadeSweep(repetitions: 1)
    new.add("mos", [1])
    let comparison = try SweepComparison(base: base.results, new: new.results, rule: ComparisonRule())
    #expect(comparison.rows[0].verdict == .notEnoughRuns && comparison.rows[0].adjustedPValue == nil)
  }

  @Test func pointsAndTilesAreLookedAtOneByOne() throws {
    var base = MadeSweep(capacities: ["1", "2"], repetitions: 3)
    base.add("mos", viewer: "ann", [1, 2, 3, 1, 2, 3])
    base.add("mos", viewer: "eve", [1, 2, 3, 1, 2, 3])
    var new = MadeSweep(capacities: ["1", "2"], repetitions: 3)
    new.add("mos", viewer: "ann", [2, 3, 4, 0, 1, 2])
    new.add("mos", viewer: "eve", [2, 3, 4, 0, 1, 2])
    func rows(_ grouping: ComparisonRule.Grouping) throws -> [SweepComparison.Row] {
      try SweepComparison(
        base: base.results, new: new.results, rule: ComparisonRule(grouping: grouping)
      ).rows
    }
    // Over both points gain and loss cancel; two tiles of one run do not count as two runs.
    #expect(try rows(.metric).map(\.verdict) == [.notShown])
    #expect(try rows(.metric)[0].count == 6)
    let points = try rows(.point)
    #expect(points.map(\.verdict) == [.worse, .better] && points.map(\.count) == [3, 3])
    #expect(points.compactMap(\.point).map { $0[0].value } == ["2", "1"])
    #expect(try rows(.tile).map(\.key.viewer) == ["ann", "eve"])
  }

  @Test func aPhoneIsNotAveragedIntoDesks() throws {
    var base = MadeSweep(repetitions: 3)
    var new = MadeSweep(repetitions: 3)
    for desk in 1...24 {
      base.add("mos", viewer: "desk-\(desk)", [4, 4.1, 4.2])
      new.add("mos", viewer: "desk-\(desk)", [4.1, 4.2, 4.3])
    }
    base.add("mos", viewer: "phone", [4, 4.1, 4.2])
    new.add("mos", viewer: "phone", [2, 2.1, 2.2])
    func rows(_ grouping: ComparisonRule.Grouping) throws -> [SweepComparison.Row] {
      try SweepComparison(
        base: base.results, new: new.results, rule: ComparisonRule(grouping: grouping)
      ).rows
    }
    // 24 x 0.1 - 2 over 25 viewers: a gain of 0.4 %.
    #expect(try rows(.metric).map(\.verdict) == [.tooSmall])
    let viewers = try rows(.viewer)
    #expect(viewers.count == 25 && viewers[0].key.viewer == "phone" && viewers[0].verdict == .worse)
    let phone = try base.results.selecting(viewer: "phone", source: nil)
    #expect(phone.scalars.keys.map(\.viewer) == ["phone"] && phone.scalars.values == [[4, 4.1, 4.2]])
    #expect(throws: ResultReadingError.self) { try base.results.selecting(viewer: "phone", source: "x") }
  }

  /// Under Holm's correction a family of ten tests finds a spurious effect in 5 % of comparisons.
  @Test func chanceAloneIsSeldomARegression() throws {
    var found = 0
    for repetition in 0..<400 {
      var stream = RandomStream(seed: 9, repetition: repetition, name: "comparison")
      var sweeps = [MadeSweep(repetitions: 8), MadeSweep(repetitions: 8)]
      for metric in 0..<10 {
        let shared = (0..<8).map { _ in stream.normal(mean: 10, sd: 3) }
        for place in 0..<2 {
          sweeps[place].add("m\(metric)", shared.map { $0 + stream.normal(mean: 0, sd: 1) })
        }
      }
      let comparison = try SweepComparison(
        base: sweeps[0].results, new: sweeps[1].results, rule: ComparisonRule(minimumEffect: 0))
      if comparison.count(of: .notShown) < 10 { found += 1 }
    }
    #expect((8...32).contains(found), "\(found) of 400")
  }

  @Test func otherSeedsAreNotPaired() throws {
    var base = MadeSweep(repetitions: 10, seed: 1)
    base.add("sleep", [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0])
    var new = MadeSweep(repetitions: 10, seed: 2)
    new.add("sleep", [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4])
    let comparison = try SweepComparison(base: base.results, new: new.results, rule: ComparisonRule())
    #expect(isClose(comparison.rows[0].difference.pValue, 0.07939414))
    #expect(!comparison.pairing.sharesSeeds && comparison.narrowing == nil)
  }

  /// The second picture appears on one side only, where the first one is later.
  @Test func nobodyWinsOnTheDelayOfWhatItDoesNotShow() throws {
    var base = MadeSweep(repetitions: 3)
    var new = MadeSweep(repetitions: 3)
    for metric in ["frame_delay", "freeze_count"] {
      base.add(metric, [2, 2.1, 2.2], .smaller)
      new.add(metric, [1, 1.1, 1.2], .smaller)
      base.add(metric, viewer: "eve", [1, 1, 1], .smaller)
    }
    func verdicts(_ base: MadeSweep, _ new: MadeSweep) throws -> [Comparison.Verdict] {
      try SweepComparison(
        base: base.results, new: new.results, rule: ComparisonRule(grouping: .metric)
      ).rows.sorted { $0.key.metric < $1.key.metric }.map(\.verdict)
    }
    #expect(try verdicts(base, new) == [.notShown, .better])
    #expect(try verdicts(new, base) == [.notShown, .worse])
  }

  private func oneSided(
    _ base: MadeSweep, _ new: MadeSweep, _ grouping: ComparisonRule.Grouping = .viewer
  ) throws -> [String] {
    let comparison = try SweepComparison(
      base: base.results, new: new.results, rule: ComparisonRule(grouping: grouping))
    return comparison.oneSided.map {
      "\($0.key.viewer) \($0.key.source) \($0.key.metric) \($0.verdict.rawValue) \($0.count) \($0.mean)"
    }
  }

  /// Of four runs, three lack the score of eve, who is there: (1 + 2 + 3) / 3.
  @Test func aViewerWhoSeesNothingMoreIsARegression() throws {
    var base = MadeSweep(repetitions: 4)
    base.add(participant: "eve", "mos", [1, 2, 3, 4])
    base.add(participant: "ann", "mos", [1, 2, 3, 4])
    var new = MadeSweep(repetitions: 4)
    new.add(participant: "eve", "mos", [.nan, .nan, .nan, 4])
    new.add(participant: "eve", "data_down", [1, 1, 1, 1])
    new.add(participant: "ann", "mos", [1, 2, 3, 4])
    #expect(try oneSided(base, new) == ["eve  mos vanished 3 2.0"])
    #expect(try oneSided(new, base, .metric) == ["  mos appeared 3 2.0"])
    let comparison = try SweepComparison(base: base.results, new: new.results, rule: ComparisonRule())
    #expect(comparison.count(of: .vanished) == 1 && comparison.count(of: .worse) == 0)
    // The selection of a metric does not tell who was there.
    let whole = (base: base.results.scalars, new: new.results.scalars)
    let selected = try SweepComparison(
      base: base.results.selecting(metric: "mos"), new: new.results.selecting(metric: "mos"), of: whole,
      rule: ComparisonRule())
    #expect(selected.count(of: .vanished) == 1)
    // Two of four runs are not most.
    new.values[0] = [.nan, .nan, 3, 4]
    #expect(try oneSided(base, new).isEmpty)
  }

  /// Of five runs one recovers in BASE, and three others in NEW: nothing has vanished.
  @Test func whatBothSidesMostlyLackIsJudgedByWhichLacksItMore() throws {
    func made(_ recoveries: [Double]) -> MadeSweep {
      var sweep = MadeSweep(repetitions: 5)
      sweep.add(participant: "bob", "recovery_time", recoveries)
      sweep.add(participant: "bob", "data_down", [1, 1, 1, 1, 1])
      return sweep
    }
    let (base, new) = (made([5, .nan, .nan, .nan, .nan]), made([.nan, 6, 6, 6, .nan]))
    #expect(try oneSided(base, new) == ["bob  recovery_time appeared 3 6.0"])
    #expect(try oneSided(new, base) == ["bob  recovery_time vanished 3 6.0"])
  }

  /// A tile that is off the screen, a source that left the meeting and a link's value are no regression; a picture that
  /// never recovers is.
  @Test func onlyWhatCouldBeSeenVanishes() throws {
    var base = MadeSweep(repetitions: 2)
    for viewer in ["ann", "eve", "kim"] {
      base.add("mos", viewer: viewer, [3, 4])
      base.add("time_off_screen", viewer: viewer, [0, 0], .neither)
    }
    base.add(participant: "bob", "recovery_time", [5, 6])
    base.add(participant: "bob", "gap_rule", [1, 2])
    var new = MadeSweep(repetitions: 2)
    new.add("time_off_screen", viewer: "ann", [10, 10], .neither)
    new.add("time_off_screen", viewer: "kim", [0, 0], .neither)
    new.add(participant: "bob", "data_down", [1, 1])
    #expect(
      try oneSided(base, new, .tile) == ["kim bob mos vanished 2 3.5", "bob  recovery_time vanished 2 5.5"])
  }

  /// In one of four runs the tile of NEW is dark and has no freezes: fewer in the others are no improvement.
  @Test func nobodyWinsOnTheFreezesOfADarkTile() throws {
    var base = MadeSweep(repetitions: 4)
    base.add("freezes_duration", [5, 6, 5, 6], .smaller)
    var new = MadeSweep(repetitions: 4)
    new.add("freezes_duration", [1, 2, 1, .nan], .smaller)
    new.add("mos", [3, 3, 3, 1])
    func verdict(_ base: MadeSweep, _ new: MadeSweep) throws -> Comparison.Verdict? {
      try SweepComparison(base: base.results, new: new.results, rule: ComparisonRule()).rows.first {
        $0.key.metric == "freezes_duration"
      }?.verdict
    }
    #expect(try verdict(base, new) == .notShown)
    new.values[0][3] = 2
    #expect(try verdict(base, new) == .better)
  }

  @Test func whatIsOnOneSideAloneIsCounted() throws {
    var base = MadeSweep(repetitions: 3)
    base.add("mos", [1, 2, 3])
    base.add("first", [0.1, 0.1, 0.1], .smaller)
    base.add("gone", [1, 1, 1])
    var new = MadeSweep(repetitions: 3)
    new.add("mos", [1, 2, 3])
    new.add("first", [0.1, .nan, 0.1], .smaller)
    new.add("come", [1, .nan, 1])
    let comparison = try SweepComparison(base: base.results, new: new.results, rule: ComparisonRule())
    #expect(comparison.lostValues == 4 && comparison.gainedValues == 2)
    #expect(comparison.rows.map(\.count).sorted() == [2, 3])
  }
}

@Suite("Pairing runs")
struct RunPairingTests {
  @Test func runsOfTheSamePointAndRepetitionBelongTogether() throws {
    var base = MadeSweep(capacities: ["1", "2"], repetitions: 3)
    base.fail(5)
    var new = MadeSweep(capacities: ["2", "1"], repetitions: 2)
    new.fail(0)
    let pairing = try RunPairing(base: base.results, new: new.results)
    #expect(pairing.pairs.map(\.base) == [0, 1, 4] && pairing.pairs.map(\.new) == [2, 3, 1])
    #expect(pairing.pairs.map(\.point) == [0, 0, 1])
    #expect(pairing.failed == 1 && pairing.missing == 1 && pairing.added == 0)
  }

  /// A value that BASE has beside those of NEW is no change of a value.
  @Test func valuesWithoutACounterpartAreNamed() throws {
    func pairing(_ base: [String], _ new: [String]) throws -> RunPairing {
      try RunPairing(
        base: MadeSweep(capacities: base, repetitions: 1).results,
        new: MadeSweep(capacities: new, repetitions: 1).results)
    }
    let changed = try pairing(["1", "2", "3"], ["1", "4", "3"])
    #expect(changed.missing == 1 && changed.added == 1)
    #expect(changed.unmatched == [.init(name: "capacity", base: ["2"], new: ["4"])])
    #expect(try pairing(["1", "2"], ["1"]).unmatched.isEmpty)
  }

  @Test func sweepsWithoutACommonRunCannotBeCompared() throws {
    let base = MadeSweep(capacities: ["1"], repetitions: 2).results
    let new = MadeSweep(capacities: ["2"], repetitions: 2).results
    let unmatched = #expect(throws: ComparisonError.self) { try RunPairing(base: base, new: new) }
    #expect(
      unmatched?.description
        == "no run of NEW has the variables and the repetition of a run of BASE that finished: only BASE has capacity '1', "
        + "only NEW '2' (values with one label are paired: {label: NAME, value: …} in both sweeps)")
    let other = Results(
      directory: "made", kind: .sweep,
      runs: base.runs.map {
        RunRecord(
          runID: $0.runID, pointID: $0.pointID, repetition: $0.repetition, seed: $0.seed, status: "ok",
          error: "", variables: [.init(name: "loss", value: "0.1")])
      }, scalars: base.scalars)
    let error = #expect(throws: ComparisonError.self) { try RunPairing(base: base, new: other) }
    #expect(error?.description == "the sweeps vary different things: BASE capacity, NEW loss")
  }
}

@Suite("Comparing single runs")
struct RunComparisonTests {
  @Test func whatChangedIsListedWorstFirst() {
    var base = MadeSweep(repetitions: 1)
    var new = MadeSweep(repetitions: 1)
    for (metric, direction, values) in [
      ("mos", ScalarRow.Direction.bigger, (4.0, 2.0)), ("rate", .neither, (5, 6)),
      ("height", .bigger, (360, 720)),
      ("delay", .smaller, (1, 1.001)), ("bytes", .smaller, (1000, 1005)), ("freezes", .smaller, (0, 1)),
      ("first", .smaller, (0.1, .nan)),
      ("last", .bigger, (.nan, .nan)),
    ] {
      base.add(metric, [values.0], direction)
      new.add(metric, [values.1], direction)
    }
    let comparison = RunComparison(base: base.results, new: new.results, minimumEffect: 0.01)
    #expect(
      comparison.rows.map { "\($0.key.metric) \($0.change.rawValue)" } == [
        "freezes worse", "mos worse", "first vanished", "height better", "rate changed",
      ])
    #expect(comparison.unchanged == 3 && comparison.rows[1].relative == -0.5)
  }

  /// Whoever is in the worst seat, every pair has its value: of 0.4 and 0.6, and of 0.5 and 0.8.
  @Test(arguments: ComparisonRule.Grouping.allCases)
  func theWorstSeatIsOneValueWhoeverIsInIt(grouping: ComparisonRule.Grouping) throws {
    var (base, new) = (MadeSweep(repetitions: 2), MadeSweep(repetitions: 2))
    base.add(worstSeatOf: "ann", [0.4, .nan])
    base.add(worstSeatOf: "bob", [.nan, 0.6])
    new.add(worstSeatOf: "bob", [0.5, 0.8])
    let comparison = try SweepComparison(
      base: base.results, new: new.results, rule: ComparisonRule(grouping: grouping))
    #expect(comparison.rows.count == 1 && comparison.lostValues + comparison.gainedValues == 0)
    #expect(comparison.rows[0].count == 2)
    #expect(abs(comparison.rows[0].base - 0.5) < 1e-12 && abs(comparison.rows[0].new - 0.65) < 1e-12)
  }
}
