import Expectations
import Metrics
import Plan
import Testing

@Suite("Statistics over intervals")
struct IntervalStatisticsTests {
  private typealias Measure = Plan.Expectation.Measure
  private typealias Statistic = Plan.Expectation.IntervalStatistic

  /// Returns a statistic over seconds 0 to 1, 1 to 2 … and a last interval of 500 ms.
  private func value(
    _ statistic: Statistic, of values: [Double?], from: Int64? = nil, to: Int64? = nil
  ) -> Double? {
    var statistics = IntervalStatistics(
      Measure(column: "mos", statistic: statistic, from: from, to: to, unit: "1"))
    for (number, value) in values.enumerated() {
      let start = Int64(number) * 1000
      statistics.add(value, over: start..<start + (number == values.count - 1 ? 500 : 1000))
    }
    return statistics.value
  }

  /// Lengths of 1, 1, 1 and 0.5 s: a mean of (4 + 1 + 3 + 2 / 2) / 3.5. In ascending order, 1 covers the first second,
  /// 2 the time up to 1.5 s, 3 up to 2.5 s: the median, at 1.75 s, is 3.
  @Test(
    arguments: [
      (.mean, 18.0 / 7), (.total, 10), (.min, 1), (.max, 4), (.p05, 1), (.p25, 1), (.p50, 3), (.p75, 4),
      (.p95, 4),
    ] as [(Plan.Expectation.IntervalStatistic, Double)])
  func intervalsCountByTheirLength(statistic: Plan.Expectation.IntervalStatistic, expected: Double) {
    #expect(value(statistic, of: [4, 1, 3, 2]) == expected)
  }

  /// Of four equal seconds the median is the lower one, as in `scalars.csv`.
  @Test func theMedianIsTheLowerOne() {
    #expect(value(.p50, of: [4, 1, 3, 2, nil]) == 2)
  }

  @Test func onlyIntervalsThatLieInTheWindowCount() {
    let course: [Double?] = [1, 2, 3, 4, 5, nil]
    #expect(value(.total, of: course, from: 1000, to: 4000) == 9)
    #expect(value(.total, of: course, from: 1001, to: 4000) == 7)
    #expect(value(.total, of: course, from: 1000, to: 3999) == 5)
    #expect(value(.total, of: course, from: 1000, to: 1999) == nil)
  }

  @Test func intervalsWithoutAValueDoNotCount() {
    #expect(value(.mean, of: [nil, 2, nil, 4, nil]) == 3)
    #expect(value(.mean, of: [nil, nil]) == nil)
  }

  /// Time from second 1 on until 3 or more is reached for good.
  private func recovery(_ values: [Double?], to: Int64? = nil) -> Double? {
    var statistics = IntervalStatistics(
      Measure(
        column: "mos", statistic: .recovery, from: 1000, to: to, target: .init(relation: .atLeast, bound: 3),
        unit: "s"))
    for (number, value) in values.enumerated() {
      statistics.add(value, over: Int64(number) * 1000..<Int64(number + 1) * 1000)
    }
    return statistics.value
  }

  @Test func aRecoveryEndsWithTheLastIntervalThatMisses() {
    #expect(recovery([1, 1, 1, 3, 4]) == 2)
    // A dip after the moment counts: recovery comes only after it.
    #expect(recovery([1, 3, 3, 1, 4]) == 3)
    // A dip before the moment does not.
    #expect(recovery([1, 3, 3, 3, 4]) == 0)
    #expect(recovery([1, 1, 3, 4, 1], to: 4000) == 1)
  }

  @Test func whoMissesInTheEndOrShowsNothingHasNotRecovered() {
    #expect(recovery([1, 3, 3, 3, 2]) == nil)
    #expect(recovery([1, 3, 3, 3, nil]) == nil)
    #expect(recovery([1, nil, 3, 3, 3]) == 1)
    #expect(recovery([1]) == nil)
  }
}

@Suite("Metrics in expectations")
struct IntervalMeasurementsTests {
  private func expectation(
    _ scope: ScalarMetric.Scope, _ viewer: String, _ source: String, _ column: String,
    _ statistic: Plan.Expectation.IntervalStatistic, from: Int64? = nil,
    to: Int64? = nil
  ) -> Plan.Expectation {
    let measure = Plan.Expectation.Measure(
      column: column, statistic: statistic, from: from, to: to, unit: "px", direction: .bigger)
    return Plan.Expectation(
      scope: scope, viewer: viewer, source: source, metric: column, stat: measure.name, measure: measure,
      relation: .atLeast, bound: 0, line: 1)
  }

  /// Rows of `streams.csv`: time, viewer, source, requested height, frame height, score.
  private func streams(_ rows: [(String, String, String, String, String, String)]) -> [UInt8] {
    let header =
      "run_id,time_s,viewer,source,kind,state,tile_width_px,tile_height_px,requested_height_px,"
      + "requested_fps,target_height_px,frame_width_px,frame_height_px,frames_per_second,bitrate_bps,"
      + "packets_lost,freeze_count,freezes_duration_s,limitation,mos,key_frames_decoded,pli_count,nack_count\n"
    return Array(
      (header
        + rows.map {
          "r,\($0.0),\($0.1),\($0.2),camera,receiving,,,\($0.3),30,0,,\($0.4),30.00,1,0,0,0,none,\($0.5),0,0,0\n"
        }
        .joined()).utf8)
  }

  @Test func aTileCountsWhileItIsRequestedAndShowsNothingWithoutFrames() {
    var measured = IntervalMeasurements(
      [
        expectation(.tile, "bob", "ann", "frame_height_px", .mean),
        expectation(.tile, "bob", "ann", "mos", .mean),
      ], interval: 1000)
    measured.add(
      streams([
        ("1.000", "bob", "ann", "720", "720", "4.50"), ("1.000", "eve", "ann", "720", "90", "1.00"),
        ("2.000", "bob", "ann", "720", "", ""), ("3.000", "bob", "ann", "", "360", "2.00"),
      ]), to: .streams)
    let rows = measured.rows(runID: "r7")
    #expect(rows.count == 2)
    #expect(
      String(decoding: rows.bytes, as: UTF8.self)
        == "r7,tile,bob,ann,frame_height_px,mean,px,bigger,360.000000\nr7,tile,bob,ann,mos,mean,px,bigger,2.750000\n"
    )
  }

  @Test func aTileThatNobodySeesDoesNotCount() {
    var measured = IntervalMeasurements(
      [expectation(.tile, "bob", "ann", "frame_height_px", .mean)], interval: 1000)
    let rows = ["hidden,none", "muted,muted", "receiving,off-screen", "receiving,bandwidth"]
    for (second, row) in rows.enumerated() {
      let lines = String(
        decoding: streams([("\(second + 1).000", "bob", "ann", "720", "\(second + 1)", "")]), as: UTF8.self)
      let words = row.split(separator: ",").map { String($0) }
      let text = lines.replacing("receiving", with: words[0]).replacing(",none,", with: ",\(words[1]),")
      measured.add(Array((second == 0 ? text : text.split(separator: "\n")[1] + "\n").utf8), to: .streams)
    }
    #expect(
      String(decoding: measured.rows(runID: "r").bytes, as: UTF8.self)
        == "r,tile,bob,ann,frame_height_px,mean,px,bigger,4.000000\n")
  }

  /// From 1 s on bob sees only the screen: of the pattern's two tiles one counts, but whoever names the other is told.
  @Test(arguments: [("*", 1), ("ann", 1)])
  func aTileThatIsHiddenThroughoutTheWindowIsNotMeantByAPattern(source: String, count: Int) {
    var measured = IntervalMeasurements(
      [expectation(.tile, "bob", source, "frame_height_px", .max, from: 1000)], interval: 1000)
    measured.add(
      streams([
        ("1.000", "bob", "ann", "720", "720", ""), ("2.000", "bob", "ann", "", "", ""),
        ("2.000", "bob", "ann/screen", "720", "1080", ""),
      ]), to: .streams)
    let rows = measured.rows(runID: "r")
    #expect(rows.count == count)
    let text = String(decoding: rows.bytes, as: UTF8.self)
    #expect(
      text
        == (source == "*"
          ? "r,tile,bob,ann/screen,frame_height_px,max from 1 s,px,bigger,1080.000000\n"
          : "r,tile,bob,ann,frame_height_px,max from 1 s,px,bigger,\n"))
  }

  @Test func aPatternMeasuresEveryoneOnceAndTablesComeInPieces() {
    var measured = IntervalMeasurements(
      [
        expectation(.tile, "b*", "*", "frame_height_px", .max, from: 1000),
        expectation(.tile, "bob", "ann", "frame_height_px", .max, from: 1000),
      ], interval: 1000)
    let bytes = streams([
      ("1.000", "bob", "ann", "720", "720", ""), ("2.000", "bob", "ann", "720", "360", ""),
      ("2.000", "bob", "ann/screen", "720", "1080", ""), ("2.000", "eve", "ann", "720", "90", ""),
    ])
    let lines = bytes.split(separator: 0x0a).map { Array($0) + [0x0a] }
    for line in lines { measured.add(line, to: .streams) }
    let name = "frame_height_px,max from 1 s,px,bigger"
    #expect(
      String(decoding: measured.rows(runID: "r").bytes, as: UTF8.self)
        == "r,tile,bob,ann,\(name),360.000000\nr,tile,bob,ann/screen,\(name),1080.000000\n")
  }

  /// Frames until 3 s, then none to the end at 8 s, which the browser counts as no freeze: the picture stands still for 5 s,
  /// of which 3 s are in the window from 5 s on, and 2 s in the one up to 5 s. The freeze begins before the one window,
  /// and in the other. A freeze of 0.4 s that the browser counts in the second second adds to the whole. The time in a
  /// window never exceeds it, also where a second without frames is not yet long enough to tell.
  @Test(
    arguments: [
      (nil, nil, 5.4, 2.0), (5000, nil, 3.0, 0.0), (2000, 5000, 2.0, 1.0), (1000, 2000, 0.4, 1.0),
      (4000, 5000, 1.0, 0.0), (3000, 4000, 1.0, 1.0),
    ]
      as [(Int64?, Int64?, Double, Double)])
  func aPictureThatStandsStillCountsInAWindow(from: Int64?, to: Int64?, seconds: Double, count: Double) throws
  {
    var measured = IntervalMeasurements(
      ["freezes_duration_s", "freeze_count"].map { column in
        expectation(.tile, "bob", "ann", column, .total, from: from, to: to)
      }, interval: 1000)
    let text = String(
      decoding: streams((1...8).map { ("\($0).000", "bob", "ann", "720", "720", "") }), as: UTF8.self)
    let rows = text.split(separator: "\n").map { String($0) }.enumerated().map { number, row in
      switch number {
      case 2: row.replacing(",1,0,0,0,none", with: ",1,0,1,0.400,none")
      case 4...: row.replacing(",30.00,1,", with: ",0.00,0,")
      default: row
      }
    }
    measured.add(Array((rows.joined(separator: "\n") + "\n").utf8), to: .streams)
    let values = String(decoding: measured.rows(runID: "r").bytes, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: ",").last.flatMap { Double($0) } ?? -1
    }
    #expect(values == [seconds, count])
  }

  /// Rows end at 4, 11, 12 and 12.5 s: after a gap an interval still lasts a second, and the last one half. From second
  /// 10 on there are three, with a mean of (90 + 360 + 180 / 2) / 2.5.
  @Test func anIntervalAfterAGapHasItsOwnLength() {
    var measured = IntervalMeasurements(
      [
        expectation(.tile, "bob", "ann", "frame_height_px", .total, from: 10_000),
        expectation(.tile, "bob", "ann", "frame_height_px", .mean, from: 10_000),
      ], interval: 1000)
    measured.add(
      streams(
        [("4.000", "720"), ("11.000", "90"), ("12.000", "360"), ("12.500", "180")].map {
          ($0.0, "bob", "ann", "720", $0.1, "")
        }), to: .streams)
    let name = "r,tile,bob,ann,frame_height_px"
    #expect(
      String(decoding: measured.rows(runID: "r").bytes, as: UTF8.self)
        == "\(name),total from 10 s,px,bigger,630.000000\n\(name),mean from 10 s,px,bigger,216.000000\n")
  }

  @Test func linksHaveOneName() {
    var measured = IntervalMeasurements(
      [expectation(.link, "", "*/down", "queue_delay_max_s", .max)], interval: 1000)
    measured.add(
      Array(
        """
        run_id,time_s,link,capacity_bps,throughput_bps,utilization_frac,queue_delay_mean_s,queue_delay_max_s,packets_dropped,cross_traffic_bps
        r,1.000,ann/up,1,1,1,,0.500000,0,0
        r,1.000,ann/down,1,1,1,,0.250000,0,0

        """.utf8), to: .links)
    #expect(
      String(decoding: measured.rows(runID: "r").bytes, as: UTF8.self)
        == "r,link,,ann/down,queue_delay_max_s,max,px,bigger,0.250000\n")
  }

  @Test(arguments: [
    ("*", "", true), ("s-*", "s-1", true), ("s-*", "s", false), ("*/screen", "ann/screen", true),
    ("*/screen", "ann", false), ("a*b*c", "a-b-b-c", true), ("a*b*c", "acb", false), ("ab*ba", "aba", false),
    ("ann", "ann", true), ("ann", "anna", false),
  ])
  func aStarStandsForAnyCharacters(pattern: String, name: String, matches: Bool) {
    #expect(Plan.Expectation.matches(pattern, name) == matches)
  }
}
