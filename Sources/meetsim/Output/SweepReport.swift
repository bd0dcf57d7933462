import Expectations
import Sweep

/// Counts and failures of runs, as printed by `sweep`, `status` and `merge`.
enum SweepReport {
  static func beginning(_ progress: SweepExecution.Progress, of path: String) {
    guard progress.kept > 0 || progress.damaged > 0 else { return }
    var text = "\(progress.kept) runs are already in '\(path)', \(progress.total) are left"
    if progress.damaged > 0 { text += ", \(progress.damaged) of them with a damaged file" }
    Terminal.error(text)
  }

  static func end(
    _ outcome: SweepTables.Outcome, _ progress: SweepExecution.Progress, seconds: Double, directory: String
  ) {
    var text = line(outcome)
    if progress.done > 0 {
      let rate = Double(progress.done) / max(seconds, 1e-9)
      text +=
        "; \(progress.done) executed in \(DisplayDuration.text(seconds)) (\((rate * 10).rounded() / 10) runs/s)"
    }
    Terminal.line(text)
    Terminal.line("tables in \(directory)")
  }

  /// Prints the verdicts on the sweep's expectations, if it has any, and says if they are of a part of its runs.
  ///
  /// - Parameter shard: the part of the sweep that was run; `nil` for all of it.
  static func answer(_ outcome: SweepTables.Outcome, shard: String?, in directory: String) {
    guard let expected = try? ExpectedDirectory.read(directory), !expected.expectations.isEmpty else {
      return
    }
    let report = ExpectationReport(expected)
    let missing = outcome.counts[.missing, default: 0]
    if let shard {
      Terminal.line("verdicts on shard \(shard) alone: 'meetsim merge' prints those of the whole sweep")
    } else if missing > 0 {
      Terminal.line("verdicts on \(outcome.total - missing) of \(outcome.total) runs: the others are missing")
    }
    Terminal.lines(ExpectationTable(report: report, showsAll: false, width: Terminal.width).lines)
  }

  /// Formats a line such as `12 runs: 10 ok, 2 failed`.
  static func line(_ outcome: SweepTables.Outcome) -> String {
    let parts = RunStatus.allCases.compactMap { status -> String? in
      let count = outcome.counts[status, default: 0]
      return count > 0 || status == .ok ? "\(count) \(status.rawValue)" : nil
    }
    return "\(outcome.total) runs: \(parts.joined(separator: ", "))"
  }

  /// Prints the first runs without a result to standard error.
  static func failures(_ outcome: SweepTables.Outcome) {
    for metric in outcome.missingMetrics { Terminal.error("warning: no run reports a metric '\(metric)'") }
    for failure in outcome.failures {
      let cause = failure.cause.isEmpty ? "" : ": \(failure.cause)"
      let damaged = failure.isDamaged ? " (its file is damaged)" : ""
      Terminal.error("run \(failure.id) (\(failure.point)) is \(failure.status.rawValue)\(damaged)\(cause)")
    }
    let rest = outcome.failureCount - outcome.failures.count
    if rest > 0 { Terminal.error("and \(rest) more: see 'status' and 'error' in runs.csv") }
  }
}
