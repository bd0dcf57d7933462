import Expectations
import JSON
import Metrics
import Plan
import ResultReading
import Statistics

/// Data of a sweep's page: its points, the summary of each metric, and the individual runs' values for pairing.
struct SweepPage {
  private let expected: ExpectedDirectory
  private let results: Results
  private let settings: SweepSettingsRecord
  /// Runs of each point, in the order of the points.
  private let points: [(id: String, runs: [Int])]
  /// Indices of the values' keys, in the order of the page, without those beyond the limit.
  private let series: [Int]
  private let omitted: Int

  /// A page takes about ten bytes per summary row and four per value of a run.
  private static let summaryLimit = 400_000
  private static let valueLimit = 1_500_000
  private static let failureLimit = 500

  init(_ directory: String) throws(ResultReadingError) {
    expected = try ExpectedDirectory.read(directory)
    results = expected.results
    settings = try SweepSettingsRecord.read(in: results.directory)
    points = results.points
    let keys = results.scalars.keys
    let scopes = ["meeting", "participant", "tile", "voice", "link"]
    let order = keys.indices.sorted { a, b in
      let ranks = [a, b].map { scopes.firstIndex(of: keys[$0].scope) ?? scopes.count }
      if ranks[0] != ranks[1] { return ranks[0] < ranks[1] }
      for (x, y) in [(keys[a].viewer, keys[b].viewer), (keys[a].source, keys[b].source)] where x != y {
        return NaturalOrder.isBefore(x, y)
      }
      return a < b
    }
    let kept = max(1, Self.summaryLimit / max(points.count, 1))
    series = Array(order.prefix(kept))
    omitted = max(0, order.count - kept)
  }

  var json: JSONValue {
    let most = points.map(\.runs.count).max() ?? 0
    let quantiles = (0...most).map { count -> JSONValue in
      StudentT.quantile(0.5 + expected.level / 2, degreesOfFreedom: Double(count - 1)).map(JSONValue.real)
        ?? .null
    }
    let keys = results.scalars.keys
    return .object([
      ("header", header), ("variables", .list(variables)), ("points", .list(points.map { .text($0.id) })),
      ("level", .real(expected.level)), ("t", .list(quantiles)),
      (
        "series",
        .list(
          series.map { place in
            let key = keys[place]
            return .list(
              [key.scope, key.viewer, key.source, key.metric, key.stat, key.unit, key.direction.rawValue]
                .map(JSONValue.text))
          })
      ),
      (
        "series_columns",
        .list(["scope", "viewer", "source", "metric", "stat", "unit", "direction"].map(JSONValue.text))
      ),
      ("first_series", .integer(Int64(firstSeries))), ("omitted", .integer(Int64(omitted))),
      ("summary", byMetric(summary)), ("runs", byMetric(values)), ("statuses", statuses), ("failed", failed),
      ("bounds", .list(bounds)), ("counts", counts),
    ])
  }

  var name: String { settings.name }

  private var header: JSONValue {
    .object(
      [
        ("name", settings.name), ("title", settings.title),
        ("directory", RunHeader.name(of: results.directory)),
        ("version", settings.version), ("repetitions", "\(settings.repetitions)"), ("seeds", settings.seeds),
        ("sweep", settings.sweep),
      ].map { ($0.0, .text($0.1)) })
  }

  /// Values of the variables by point; a variable is a number only if all of its values are.
  private var variables: [JSONValue] {
    let first = points.map { results.runs[$0.runs[0]].variables }
    return (first.first ?? []).indices.map { place in
      let texts = first.map { $0[place].value }
      let numbers = texts.compactMap(Double.init).filter(\.isFinite)
      let values: [JSONValue] =
        numbers.count == texts.count ? numbers.map(JSONValue.real) : texts.map(JSONValue.text)
      return .object([("name", .text("p_" + first[0][place].name)), ("values", .list(values))])
    }
  }

  // MARK: Series

  /// Means of a series at the points.
  private func means(of key: Int) -> [Double] {
    points.compactMap { point in
      Sample(point.runs.map { results.scalars.values[key][$0] }).mean
    }
  }

  /// Index of the series shown first: the first expectation's, or else that of the most telling metric, choosing the
  /// series that varies most.
  private var firstSeries: Int {
    let keys = results.scalars.keys
    for expectation in expected.expectations {
      let about = series.indices.filter { expectation.isAbout(keys[series[$0]]) }
      if let place = mostVarying(about) { return place }
    }
    for metric in ["mos", "utility", "frame_height", "bitrate"] {
      let about = series.indices.filter { place in
        keys[series[place]].metric == metric && ["participant", "tile"].contains(keys[series[place]].scope)
      }
      if let place = mostVarying(about) { return place }
    }
    return 0
  }

  private func mostVarying(_ places: [Int]) -> Int? {
    let spreads = places.map { Sample(means(of: series[$0])).standardDeviation ?? 0 }
    guard let largest = spreads.max(), let place = spreads.firstIndex(of: largest) else { return nil }
    return places[place]
  }

  /// Bounds of the expectations, with the series and the points they apply to.
  private var bounds: [JSONValue] {
    let keys = results.scalars.keys
    return expected.expectations.map { expectation in
      let about = series.indices.filter { expectation.isAbout(keys[series[$0]]) }
      let held = expectation.points.map { Set($0) }
      return .object([
        ("bound", .real(expectation.bound)), ("relation", .text(expectation.relation.rawValue)),
        ("series", .list(about.map { .integer(Int64($0)) })),
        (
          "points",
          .list(points.indices.filter { held?.contains(points[$0].id) ?? true }.map { .integer(Int64($0)) })
        ),
      ])
    }
  }

  private var counts: JSONValue {
    let report = ExpectationReport(expected)
    return .object(
      [Verdict.pass, .fail, .inconclusive].map { ($0.rawValue, .integer(Int64(report.count(of: $0)))) })
  }

  // MARK: Tables

  /// Creates a packed table for each metric, so that the page unpacks only what it draws.
  private func byMetric(_ packed: ([Int]) -> JSONValue) -> JSONValue {
    let keys = results.scalars.keys
    var metrics: [String] = []
    var places: [String: [Int]] = [:]
    for place in series.indices {
      let metric = keys[series[place]].metric
      if places[metric] == nil { metrics.append(metric) }
      places[metric, default: []].append(place)
    }
    return .object(metrics.map { ($0, packed(places[$0, default: []])) })
  }

  private static let summaryColumns = [
    "series", "point", "n", "mean", "sd", "ci_lo", "ci_hi", "min", "p05", "p50", "p95", "max",
  ]

  private func summary(of places: [Int]) -> JSONValue {
    var columns = [[Double]](repeating: [], count: Self.summaryColumns.count)
    for place in places {
      for (point, runs) in points.map(\.runs).enumerated() {
        let sample = Sample(runs.map { results.scalars.values[series[place]][$0] })
        guard let estimate = MeanEstimate(values: sample.sorted, level: expected.level) else { continue }
        let range = MetricRange.of(results.scalars.keys[series[place]].metric)
        let interval = estimate.interval?.clipped(to: range)
        let row: [Double?] = [
          Double(place), Double(point), Double(estimate.count), estimate.mean, estimate.standardDeviation,
          interval?.low, interval?.high, sample.sorted.first, sample.quantile(0.05),
          sample.quantile(0.5), sample.quantile(0.95), sample.sorted.last,
        ]
        for (column, value) in row.enumerated() { columns[column].append(value ?? .nan) }
      }
    }
    var packed = PackedTable(rows: Array(0..<(columns.first?.count ?? 0)))
    for (name, values) in zip(Self.summaryColumns, columns) {
      packed.add(name, numbers: values, isDrawn: !["series", "point", "n"].contains(name))
    }
    return packed.json
  }

  /// Packs each run's values with their points and repetitions.
  private func values(of places: [Int]) -> JSONValue {
    let limit = max(1, Self.valueLimit / max(results.runs.count, 1))
    var columns = [[Double]](repeating: [], count: 4)
    for place in places where place < limit {
      for (point, runs) in points.map(\.runs).enumerated() {
        for run in runs {
          let value = results.scalars.values[series[place]][run]
          guard !value.isNaN else { continue }
          let row = [Double(place), Double(point), Double(results.runs[run].repetition), value]
          for (column, value) in row.enumerated() { columns[column].append(value) }
        }
      }
    }
    var packed = PackedTable(rows: Array(0..<columns[0].count))
    for (name, values) in zip(["series", "point", "repetition", "value"], columns) {
      packed.add(name, numbers: values)
    }
    return packed.json
  }

  // MARK: Runs

  private var statuses: JSONValue {
    var names: [String] = []
    for run in results.runs where !names.contains(run.status) { names.append(run.status) }
    return .object(
      names.map { name in (name, .integer(Int64(results.runs.count { $0.status == name }))) })
  }

  private var failed: JSONValue {
    let runs = results.runs.filter { !$0.isFinished }
    let variables = results.runs.first?.variables.map { "p_" + $0.name } ?? []
    let columns = ["run_id", "point_id", "repetition", "seed", "status", "error"] + variables
    return .object([
      ("count", .integer(Int64(runs.count))), ("columns", .list(columns.map(JSONValue.text))),
      (
        "rows",
        .list(
          runs.prefix(Self.failureLimit).map { run in
            .list(
              ([run.runID, run.pointID, "\(run.repetition)", run.seed, run.status, run.error]
                + run.variables.map(\.value)).map(JSONValue.text))
          })
      ),
    ])
  }
}
