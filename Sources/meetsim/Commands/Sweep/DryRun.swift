import Metrics
import Quantity
import Sweep

/// The runs of a sweep and how long they may take, without results.
struct DryRun {
  let plan: SweepPlan
  let sources: [String: PointSource]
  let timeout: SimDuration
  let jobs: Int

  func print() {
    let header = ["run_index", "point_id", "repetition", "seed"] + plan.settings.columns.map(\.name)
    let selected = plan.runs.filter { plan.contains($0) }
    let rows = selected.map { run in
      ["\(run.index)", run.pointID, "\(run.repetition)", "\(run.seed)"] + run.parameters
        + (run.problem.isEmpty ? [] : ["invalid: \(run.problem)"])
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
    estimate(selected)
  }

  /// Times the first, the middle and the last run that can be run.
  private func estimate(_ selected: [PlannedRun]) {
    let valid = selected.filter(\.problem.isEmpty)
    guard !valid.isEmpty else { return }
    let places = Set([0, valid.count / 2, valid.count - 1]).sorted()
    let clock = ContinuousClock()
    var seconds = 0.0
    for place in places {
      guard let source = sources[valid[place].pointID] else { continue }
      seconds += clock.measure { Worker.probe(valid[place], source, plan.settings) } / Duration.seconds(1)
      if Interruption.received != nil || seconds > 60 { break }
    }
    let mean = seconds / Double(places.count)
    let whole = mean * Double(valid.count) / Double(min(jobs, valid.count))
    let most = plan.settings.until == nil ? "" : " at most"
    Terminal.error(
      "\(valid.count) runs\(most): about \(SpokenTime.text(whole)) with \(jobs) at a time, judged by "
        + "\(places.count) probe runs of \((mean * 1000).rounded() / 1000) s each")
  }
}
