import Comparison
import Metrics
import ResultReading
import Statistics

/// A comparison, as a table for a terminal or as CSV.
struct ComparisonReport {
  /// Maximum number of rows in a terminal; the most relevant come first.
  static let limit = 40

  let base: String
  let new: String
  let isCSV: Bool

  func identical(tables: Int, kind: Results.Kind) {
    let text = "identical: \(tables) tables, byte for byte\n"
    guard isCSV else { return Terminal.result(text) }
    Terminal.result(kind == .run ? Self.runHeader : Self.sweepHeader)
    Terminal.error(String(text.dropLast()))
  }

  func different(_ tables: [String]) {
    guard !isCSV else { return }
    directories()
    Terminal.line("differing tables: \(tables.joined(separator: ", "))")
    Terminal.result("\n")
  }

  func parts(_ base: [String], _ new: [String]) {
    guard !isCSV else { return }
    let conditions = [base, new].map { $0.isEmpty ? "" : " where " + $0.joined(separator: " and ") }
    directories(conditions)
    Terminal.result("\n")
  }

  private func directories(_ conditions: [String] = ["", ""]) {
    Terminal.line("BASE \(base)\(conditions[0])")
    Terminal.line("NEW  \(new)\(conditions[1])")
  }

  func write(_ comparison: RunComparison) {
    Terminal.error("one run each: changes are listed without a test, as one run gives no variance")
    guard !isCSV else {
      Terminal.result(Self.runHeader + comparison.rows.map(Self.record).joined())
      return
    }
    var rows = [["change", "of", "metric", "base", "new", "by"]]
    rows += comparison.rows.prefix(Self.limit).map { row in
      [
        row.change.rawValue, Self.subject(row.key.scope, row.key.viewer, row.key.source),
        Self.metric(row.key.metric, row.key.stat, row.key.unit), row.base.map(Self.figure) ?? "-",
        row.new.map(Self.figure) ?? "-", Self.percent(row.relative),
      ]
    }
    write(rows, right: [3, 4, 5], of: comparison.rows.count)
    let counts = RunComparison.Change.allCases.compactMap { change -> String? in
      let count = comparison.rows.count { $0.change == change }
      return count > 0 ? "\(count) \(change.rawValue)" : nil
    }
    Terminal.result((counts + ["\(comparison.unchanged) unchanged"]).joined(separator: ", ") + "\n")
  }

  func write(_ comparison: SweepComparison) {
    warn(comparison)
    guard !isCSV else {
      let level = comparison.rule.level
      Terminal.result(Self.sweepHeader + comparison.rows.map { Self.record($0, level: level) }.joined())
      return
    }
    let pairing = comparison.pairing
    Terminal.result(
      "\(pairing.pairs.count) pairs of runs at \(Self.plural(pairing.points.count, "point")), "
        + (pairing.sharesSeeds
          ? "same seed in both runs of a pair" : "seeds differ: tested unpaired (Welch)")
        + "\n\n")
    let level = Self.figure(comparison.rule.level * 100)
    var rows = [
      [
        "verdict", "of", "metric", "n", "base", "new", "by", "\(level) % interval of the difference",
        "p (Holm)",
      ]
    ]
    rows += comparison.rows.prefix(Self.limit).map { row in
      let interval = row.difference.interval.map { "\(Self.figure($0.low)) to \(Self.figure($0.high))" }
      return [
        row.verdict.rawValue,
        Self.subject(row.scope, row.viewer, row.source)
          + (row.point.map { " at \(Self.text(of: $0))" } ?? ""),
        Self.metric(row.metric, row.stat, row.unit), "\(row.count)", Self.figure(row.base),
        Self.figure(row.new), Self.percent(row.relative), interval ?? "-",
        row.adjustedPValue.map { $0 > 0 && $0 < 0.0001 ? "<0.0001" : Self.figure($0) } ?? "-",
      ]
    }
    write(rows, right: [3, 4, 5, 6, 7, 8], of: comparison.rows.count)
    let counts = Verdict.allCases.map { "\(comparison.count(of: $0)) \($0.rawValue)" }
    Terminal.result(
      counts.joined(separator: ", ") + "; differences below "
        + "\(Self.figure(comparison.rule.minimumEffect * 100)) % of BASE's mean do not count\n")
    if comparison.undirectedMetrics > 0 {
      Terminal.result(
        "\(Self.plural(comparison.undirectedMetrics, "metric")) without a preferred direction not tested\n")
    }
    if let narrowing = comparison.narrowing {
      Terminal.result(
        "pairing makes the intervals \(Self.figure(narrowing)) times narrower (median over rows)\n")
    }
  }

  private func warn(_ comparison: SweepComparison) {
    let pairing = comparison.pairing
    if pairing.failed > 0 {
      Terminal.error("\(Self.plural(pairing.failed, "run")) finished in BASE and failed in NEW")
    }
    if pairing.missing > 0 {
      Terminal.error("\(Self.plural(pairing.missing, "run")) of BASE missing in NEW")
    }
    if pairing.added > 0 {
      Terminal.error("\(Self.plural(pairing.added, "run")) of NEW without a finished counterpart in BASE")
    }
    if comparison.lostValues > 0 {
      Terminal.error(
        "\(Self.plural(comparison.lostValues, "value")) of BASE missing in NEW: excluded")
    }
    if comparison.gainedValues > 0 {
      Terminal.error(
        "\(Self.plural(comparison.gainedValues, "value")) of NEW missing in BASE: excluded")
    }
    if let fewest = comparison.rows.map(\.count).min(), fewest < 5 {
      Terminal.error("fewer than 5 pairs of runs for some rows: their intervals are wide")
    }
  }

  private func write(_ rows: [[String]], right: Set<Int>, of count: Int) {
    guard rows.count > 1 else { return }
    Terminal.result(SummaryTable.aligned(rows, right: right).joined(separator: "\n") + "\n")
    if count > Self.limit {
      Terminal.result("… and \(count - Self.limit) more rows: use --csv for all\n")
    }
    Terminal.result("\n")
  }
}
