import Files
import Metrics
import Sweep
import TextLayout

/// A list of a sweep's runs with an estimate of their total time.
struct DryRun {
  let plan: SweepPlan
  let sources: [String: PointSource]
  let jobs: Int

  /// Prints the list and the estimate; returns the number of probe runs that failed.
  func print() throws(ResultError) -> Int {
    let selected = plan.runs.filter { plan.contains($0) }
    let hasProblems = selected.contains { !$0.problem.isEmpty }
    let header =
      ["run_index", "point_id", "repetition", "seed"] + plan.settings.columns.map(\.name)
      + (hasProblems ? [""] : [])
    let rows = selected.map { run -> [String] in
      let problem = run.problem.isEmpty ? "" : "invalid: \(run.problem)"
      return ["\(run.index)", run.pointID, "\(run.repetition)", "\(run.seed)"] + run.parameters
        + (hasProblems ? [problem] : [])
    }
    for block in TextTable.blocks(
      [header] + rows, names: 1..<1, leading: 2, right: [], width: Terminal.listWidth)
    {
      for line in block { Terminal.line(line) }
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
    Terminal.remark(
      "\(count) runs\(atMost): about \(DisplayDuration.text(whole)) with \(jobs) in parallel, "
        + "after \(runs) probe runs of \((mean * 1000).rounded() / 1000) s")
    return failures.count
  }
}
