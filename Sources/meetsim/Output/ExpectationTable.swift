import Expectations
import TextLayout

/// Evaluated expectations as a table for a terminal.
struct ExpectationTable {
  let report: ExpectationReport
  /// Set to list every point of a sweep instead of a grid for each expectation.
  let showsAll: Bool
  let width: Int

  /// Bound, measured value, interval and verdict of every case, and the count of each verdict. The directory's name is
  /// printed above.
  var lines: [Terminal.Line] {
    guard !report.directory.expectations.isEmpty else { return [Terminal.Line("no expectations")] }
    let hasPoints = report.cases.contains { !$0.variables.isEmpty }
    let rows =
      hasPoints && !showsAll
      ? VerdictGrid.lines(of: report, width: width) + [Terminal.Line("")] : list(hasPoints: hasPoints)
    return rows + [Terminal.Line(count)]
  }

  /// Lists every case; the expectation comes last, wrapped to several lines if necessary, or below if there is no room
  /// for it.
  private func list(hasPoints: Bool) -> [Terminal.Line] {
    // Intervals that do not fit beside the values are put before the subject.
    let isNarrow = width < Self.leastWidth
    let hasIntervals = !isNarrow && report.cases.contains { $0.runs > 1 }
    var rows = [["verdict", "expected", "measured"] + (hasIntervals ? ["interval", ""] : [""])]
    for one in report.cases {
      rows.append(
        [one.judgement.verdict.rawValue, one.bound, one.measured]
          + (hasIntervals ? [one.interval, ""] : [""]))
    }
    let subjects =
      [hasPoints ? "expectation, point" : "expectation"]
      + report.cases.map {
        (isNarrow && $0.runs > 1 ? "\($0.interval): " : "") + $0.subject
          + (hasPoints ? ", \(PointText.point($0.variables))" : "")
      }
    let margin = (rows[0].indices.dropLast().map { column in rows.map { $0[column].count }.max() ?? 0 })
      .reduce(0) { $0 + $1 + 2 }
    let heads = TextTable.aligned(rows)
    guard width - margin >= Self.leastRoom else {
      return zip(heads, subjects).flatMap { head, subject in
        [Terminal.Line(head)]
          + subject.wrapped(to: width - 2).map { Terminal.Line("  " + $0) }
      }
    }
    return zip(heads, subjects).flatMap { head, subject in
      subject.wrapped(to: width - margin).enumerated().map { place, part in
        let start = place == 0 ? head : ""
        return Terminal.Line(start + String(repeating: " ", count: margin - start.count) + part)
      }
    }
  }

  /// Minimum width of a table with a column of intervals.
  private static let leastWidth = 80
  /// Minimum width beside the values for writing an expectation there.
  private static let leastRoom = 24

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
