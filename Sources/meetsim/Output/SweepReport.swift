import Sweep

/// Run counts and failures, as printed by `sweep`, `status` and `merge`.
enum SweepReport {
  /// Maximum number of failures to list.
  private static let limit = 10

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
    Terminal.result(text + "\ntables in \(directory)\n")
  }

  /// `12 runs: 10 ok, 2 failed`.
  static func line(_ outcome: SweepTables.Outcome) -> String {
    let parts = RunStatus.allCases.compactMap { status -> String? in
      let count = outcome.counts[status, default: 0]
      return count > 0 || status == .ok ? "\(count) \(status.rawValue)" : nil
    }
    return "\(outcome.total) runs: \(parts.joined(separator: ", "))"
  }

  /// The first runs without a result, on standard error.
  static func failures(_ outcome: SweepTables.Outcome) {
    for metric in outcome.missingMetrics { Terminal.error("warning: no run reports a metric '\(metric)'") }
    for failure in outcome.failures.prefix(limit) {
      let cause = failure.cause.isEmpty ? "" : ": \(failure.cause)"
      let damaged = outcome.damaged.contains(failure.id) ? " (its file is damaged)" : ""
      Terminal.error("run \(failure.id) is \(failure.status.rawValue)\(damaged)\(cause)")
    }
    if outcome.failures.count > limit {
      Terminal.error("and \(outcome.failures.count - limit) more: see 'status' and 'error' in runs.csv")
    }
  }
}
