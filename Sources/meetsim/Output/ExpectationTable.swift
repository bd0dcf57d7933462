import Expectations

/// Judged expectations as a table for a terminal.
enum ExpectationTable {
  /// Expected, measured, interval and verdict of every case, and their count.
  static func text(of report: ExpectationReport) -> String {
    var text = Terminal.emphasise(report.directory.name) + "\n"
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
    let open = report.count(of: .inconclusive)
    if failed > 0 { text += ", \(failed) failed" }
    if open > 0 { text += ", \(open) inconclusive" }
    if !report.unfinished.isEmpty { text += "; \(report.unfinished.count) runs have no result" }
    return text + "\n"
  }
}
