import Comparison
import Expectations
import Files
import Metrics
import ResultReading
import Scenario
import Statistics
import TextLayout

/// A comparison, as a table for a terminal or as CSV.
struct ComparisonReport {
  /// Maximum number of differing keys to list.
  private static let keyLimit = 8

  let base: String
  let new: String
  let isCSV: Bool
  /// Set if one metric was requested.
  let isOneMetric: Bool

  func identical(tables: Int, kind: Results.Kind) {
    let text = "identical: \(tables) tables, byte for byte\n"
    guard isCSV else { return Terminal.result(text) }
    Terminal.result(kind == .run ? Self.runHeader : Self.sweepHeader)
    Terminal.error(String(text.dropLast()))
  }

  func different(_ tables: [String]) {
    guard !isCSV else { return }
    directories()
    Terminal.paragraph("differing tables: \(tables.joined(separator: ", "))")
    Terminal.result("\n")
  }

  func parts(_ base: [String], _ new: [String]) {
    guard !isCSV else { return }
    let conditions = [base, new].map { $0.isEmpty ? "" : " where " + $0.joined(separator: " and ") }
    directories(conditions)
    Terminal.result("\n")
  }

  /// Lists the keys in which the two scenarios or sweeps differ.
  func keys(_ differences: [ScenarioDifference]) {
    guard !isCSV, !differences.isEmpty else { return }
    Terminal.line("differing keys:")
    for key in differences.prefix(Self.keyLimit) {
      let values = [key.base, key.new].map { $0 ?? "not set" }.joined(separator: " → ")
      let line = "  \(key.path.printable): \(values.printable)"
      Terminal.line(line.truncated(to: Terminal.width))
    }
    if differences.count > Self.keyLimit {
      Terminal.line("  … and \(differences.count - Self.keyLimit) more")
    }
    Terminal.result("\n")
  }

  private func directories(_ conditions: [String] = ["", ""]) {
    Terminal.line("BASE \(base)\(conditions[0])")
    Terminal.line("NEW  \(new)\(conditions[1])")
  }

  func write(_ comparison: RunComparison) {
    Terminal.remark("one run each: changes are listed without a test, as one run gives no variance")
    guard !isCSV else {
      Terminal.result(Self.runHeader + comparison.rows.map(Self.record).joined())
      return
    }
    let lines = comparison.rows.map { row in
      ComparisonTable.Line(
        verdict: row.change.rawValue, isChange: true, key: row.key, point: "", base: row.base, new: row.new,
        relative: row.relative)
    }
    let table = ComparisonTable(lines: lines, isTested: false, showsAll: isOneMetric)
    Terminal.result(table.text(width: Terminal.width))
    let counts = RunComparison.Change.allCases.compactMap { change -> String? in
      let count = comparison.rows.count { $0.change == change }
      return count > 0 ? "\(count) \(change.rawValue)" : nil
    }
    let text = (counts + ["\(comparison.unchanged) unchanged"]).joined(separator: ", ")
    Terminal.paragraph(text)
    let oneSided = comparison.rows.filter { $0.base == nil || $0.new == nil }
    if oneSided.contains(where: { $0.key.metric.hasPrefix("freeze") }) { remarkOnFreezes() }
    remarkOnRatio(comparison.rows.map { ($0.key, nil, $0.change == .worse) }, isTested: false)
  }

  func write(_ comparison: SweepComparison) {
    warn(comparison)
    guard !isCSV else {
      let records =
        comparison.rows.map { ($0.verdict, Self.record($0)) }
        + comparison.oneSided.map { ($0.verdict, Self.record($0)) }
      Terminal.result(Self.sweepHeader + Self.ordered(records).joined())
      return
    }
    let pairing = comparison.pairing
    let pairs =
      "\(pairing.pairs.count) pairs of runs at \(Self.plural(pairing.points.count, "point")), "
      + (pairing.sharesSeeds ? "same seed in both runs of a pair" : "seeds differ: tested unpaired (Welch)")
    Terminal.paragraph(pairs)
    Terminal.line("")
    let lines =
      comparison.rows.map { row in
        (
          row.verdict,
          ComparisonTable.Line(
            verdict: row.verdict.rawValue, isChange: row.verdict == .worse || row.verdict == .better,
            key: row.key, point: row.point.map { PointText.point($0) } ?? "", base: row.base, new: row.new,
            relative: row.relative, count: row.count,
            interval: row.difference.interval.map { ($0.low, $0.high) }, pValue: row.adjustedPValue)
        )
      } + comparison.oneSided.map { ($0.verdict, Self.line($0)) }
    let table = ComparisonTable(lines: Self.ordered(lines), isTested: true, showsAll: isOneMetric)
    Terminal.result(table.text(width: Terminal.width))
    let shown = Verdict.allCases.filter {
      ![.vanished, .appeared].contains($0) || comparison.count(of: $0) > 0
    }
    let counts = shown.map { "\(comparison.count(of: $0)) \($0.rawValue)" }
    var notes = [
      counts.joined(separator: ", ") + "; differences below "
        + "\(Self.figure(comparison.rule.minimumEffect * 100)) % of BASE's mean do not count"
    ]
    let tests = comparison.rows.count { $0.adjustedPValue != nil }
    if tests > 0 {
      notes.append(
        "intervals of \(Self.figure(comparison.rule.level * 100)) %"
          + (tests > 1
            ? " for all \(tests) rows together: each at the level of its test in Holm's procedure" : ""))
    }
    notes.forEach(Terminal.paragraph)
    remarkOnRatio(comparison.rows.map { ($0.key, $0.point, $0.verdict == .worse) }, isTested: true)
    if comparison.undirectedMetrics > 0 {
      let rows = Self.plural(comparison.undirectedMetrics, "row")
      Terminal.paragraph("\(rows) of metrics without a preferred direction not tested")
    }
    if let narrowing = comparison.narrowing {
      Terminal.paragraph(Self.gain(ofPairing: narrowing) + " (median over rows)")
    }
  }

  /// Returns what pairing does to the intervals.
  ///
  /// - Parameter factor: by which the intervals would be wider without it.
  private static func gain(ofPairing factor: Double) -> String {
    // A change of less than a twentieth is none to the eye.
    if factor >= 1.05 { return "pairing makes the intervals \(figure(factor)) times narrower" }
    if factor <= 1 / 1.05, factor > 0 {
      return "pairing makes the intervals \(figure(1 / factor)) times wider"
    }
    return "pairing leaves the intervals as wide as they are"
  }

  /// Remarks that a viewer's ratio fell because the optimum rose, if its utility did not fall.
  private func remarkOnRatio(
    _ rows: [(key: ScalarKey, point: [RunRecord.Variable]?, isWorse: Bool)], isTested: Bool
  ) {
    let fallen = rows.filter { $0.isWorse && $0.key.metric == "utility_ratio" }.filter { ratio in
      !rows.contains {
        $0.isWorse && $0.key.metric == "utility" && $0.key.viewer == ratio.key.viewer
          && $0.point == ratio.point
      }
    }
    guard !fallen.isEmpty else { return }
    let whose = NameList.text(of: NameList.ordered(fallen.map(\.key.viewer)))
    let cause = "the optimum, by which utility is divided, rises with what the links carry"
    Terminal.paragraph(
      isOneMetric
        ? "utility_ratio also falls if the optimum rises: compare --metric utility"
        : isTested
          ? "utility_ratio of \(whose) fell, and utility is not shown to: \(cause)"
          : "utility_ratio of \(whose) fell, and utility did not: \(cause)")
  }

  private static func line(_ row: SweepComparison.OneSidedRow) -> ComparisonTable.Line {
    ComparisonTable.Line(
      verdict: row.verdict.rawValue, isChange: true, key: row.key,
      point: row.point.map { PointText.point($0) } ?? "",
      base: row.base, new: row.new, relative: nil, count: row.count)
  }

  /// Orders rows by verdict.
  private static func ordered<Row>(_ rows: [(verdict: Comparison.Verdict, row: Row)]) -> [Row] {
    Comparison.Verdict.allCases.flatMap { verdict in rows.filter { $0.verdict == verdict }.map(\.row) }
  }

  private func remarkOnFreezes() {
    Terminal.remark(
      "freezes of a tile that shows next to nothing, and of its viewer, are left out: a black tile has none")
  }

  private func warn(_ comparison: SweepComparison) {
    let pairing = comparison.pairing
    if pairing.failed > 0 {
      Terminal.error("\(Self.plural(pairing.failed, "run")) finished in BASE and failed in NEW")
    }
    if pairing.missing > 0 {
      Terminal.error(
        "\(Self.plural(pairing.missing, "run")) of BASE missing in NEW\(pairing.unmatchedText)")
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
    if comparison.leavesOutFreezes { remarkOnFreezes() }
    if let fewest = comparison.rows.map(\.count).min(), fewest < 5 {
      Terminal.remark("fewer than 5 pairs of runs for some rows: their intervals are wide")
    }
  }
}
