import Files
import Metrics
import Sweep

/// A list of a sweep's runs with an estimate of their total time.
struct DryRun {
  let plan: SweepPlan
  let sources: [String: PointSource]
  let jobs: Int

  /// Prints the list and the estimate; returns the number of probe runs that failed.
  func print() throws(ResultError) -> Int {
    let header = ["run_index", "point_id", "repetition", "seed"] + plan.settings.columns.map(\.name)
    let selected = plan.runs.filter { plan.contains($0) }
    let rows = selected.map { run -> [String] in
      let cells =
        ["\(run.index)", run.pointID, "\(run.repetition)", "\(run.seed)"] + run.parameters
        + (run.problem.isEmpty ? [] : ["invalid: \(run.problem)"])
      return cells.map(\.printable)
    }
    let widths = header.indices.map { column in
      ([header] + rows).map { $0[column].count }.max() ?? 0
    }
    for row in [header] + rows {
      let cells = row.enumerated().map { column, text in
        column + 1 < row.count && column < widths.count
          ? text + String(repeating: " ", count: max(0, widths[column] - text.count)) : text
      }
      Terminal.result(cells.joined(separator: "  ") + "\n")
    }
    return Terminal.isClosed ? 0 : try estimate(selected)
  }

  /// Estimates the total time from a few probe runs.
  private func estimate(_ selected: [PlannedRun]) throws(ResultError) -> Int {
    let count = selected.count(where: \.problem.isEmpty)
    let (runs, total, failures) = try Trial.time(
      plan, sources: sources, command: SweepLoading.worker, count: 3
    ) { Interruption.received != nil }
    for failure in failures { Terminal.error("error: \(failure)") }
    guard runs > 0 else { return failures.count }
    let seconds: Double = total / Duration.seconds(1)
    let mean = seconds / Double(runs)
    let whole = mean * Double(count) / Double(min(jobs, count))
    let atMost = plan.settings.until == nil ? "" : " at most"
    Terminal.error(
      "\(count) runs\(atMost): about \(DisplayDuration.text(whole)) with \(jobs) in parallel, "
        + "after \(runs) probe runs of \((mean * 1000).rounded() / 1000) s")
    return failures.count
  }
}
