import Expectations

/// Evaluated expectations as a table for a terminal.
struct ExpectationTable {
  let report: ExpectationReport
  /// Lists every point of a sweep, in place of a grid for each expectation.
  let showsAll: Bool
  let width: Int

  /// Bound, measured value, interval and verdict of every case, and the count of each verdict. The directory's name is
  /// printed before.
  var lines: [Terminal.Line] {
    guard !report.directory.expectations.isEmpty else { return [Terminal.Line("no expectations")] }
    let hasPoints = report.cases.contains { !$0.variables.isEmpty }
    let rows =
      hasPoints && !showsAll
      ? VerdictGrid.lines(of: report, width: width) + [Terminal.Line("")] : list(hasPoints: hasPoints)
    return rows + [Terminal.Line(count)]
  }

  private func list(hasPoints: Bool) -> [Terminal.Line] {
    let hasIntervals = report.cases.contains { $0.runs > 1 }
    var rows = [
      ["expectation"] + (hasPoints ? ["point"] : []) + ["expected", "measured"]
        + (hasIntervals ? ["interval"] : []) + ["verdict"]
    ]
    for one in report.cases {
      rows.append(
        [one.subject] + (hasPoints ? [PointText.point(one.variables)] : []) + [one.bound, one.measured]
          + (hasIntervals ? [one.interval] : []) + [one.judgement.verdict.rawValue])
    }
    let texts = SummaryTable.aligned(rows)
    guard let widest = texts.map(\.count).max(), widest > width else { return texts.map { Terminal.Line($0) } }
    // Each case over several lines, where the table is too wide.
    return rows.dropFirst().flatMap { row in
      SummaryTable.wrapped(row.joined(separator: "  "), width: width).enumerated()
        .map { Terminal.Line(($0.offset > 0 ? "  " : "") + $0.element) }
    }
  }

  private var count: String {
    var text = "\(report.count(of: .pass)) of \(report.cases.count) expectations hold"
    let failed = report.count(of: .fail)
    let inconclusive = report.count(of: .inconclusive)
    if failed > 0 { text += ", \(failed) failed" }
    if inconclusive > 0 { text += ", \(inconclusive) inconclusive" }
    if !report.unfinished.isEmpty { text += "; \(report.unfinished.count) runs without a result" }
    return text
  }
}
