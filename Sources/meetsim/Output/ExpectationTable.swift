import Expectations

/// Evaluated expectations as a table for a terminal.
enum ExpectationTable {
  /// Formats bound, measured value, interval and verdict of every case, and the count of each verdict. The directory's
  /// name is printed before.
  static func text(of report: ExpectationReport) -> String {
    var text = "\n"
    guard !report.directory.expectations.isEmpty else { return text + "no expectations\n" }
    let hasPoints = report.cases.contains { !$0.variables.isEmpty }
    var rows = [
      ["expectation"] + (hasPoints ? ["point"] : []) + ["expected", "measured", "interval", "verdict"]
    ]
    for one in report.cases {
      let point = hasPoints ? [one.point] : []
      rows.append(
        [one.subject] + point + [one.bound, one.measured, one.interval, one.judgement.verdict.rawValue])
    }
    text += SummaryTable.aligned(rows).joined(separator: "\n") + "\n"
    text += "\(report.count(of: .pass)) of \(report.cases.count) expectations hold"
    let failed = report.count(of: .fail)
    let inconclusive = report.count(of: .inconclusive)
    if failed > 0 { text += ", \(failed) failed" }
    if inconclusive > 0 { text += ", \(inconclusive) inconclusive" }
    if !report.unfinished.isEmpty { text += "; \(report.unfinished.count) runs without a result" }
    return text + "\n"
  }
}
