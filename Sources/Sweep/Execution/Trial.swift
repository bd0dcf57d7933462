package import Metrics

/// Runs whose results are discarded, in a worker process since any of them may trap.
package enum Trial {
  /// Measures the wall time of runs, one at a time.
  ///
  /// - Parameter count: maximum number of runs, spread over the plan.
  /// - Returns: number of runs timed, and their total wall time.
  package static func time(
    _ plan: SweepPlan, sources: [String: PointSource], command: [String], count: Int, isStopped: () -> Bool
  ) throws(ResultError) -> (runs: Int, total: Duration) {
    var total = Duration.zero
    var timed = 0
    for run in spread(plan.runs.filter { $0.problem.isEmpty && plan.contains($0) }, count) {
      let start = ContinuousClock.now
      guard try answer(run, plan, sources, command, .probe, isStopped) != nil else { continue }
      total += ContinuousClock.now - start
      timed += 1
      if total > .seconds(60) { break }
    }
    return (timed, total)
  }

  /// A hash of the first seconds of some of the plan's meetings.
  ///
  /// Distinguishes builds of the same version that simulate differently, if the difference shows that early; their
  /// results must not be mixed.
  package static func fingerprint(
    of plan: SweepPlan, sources: [String: PointSource], command: [String]
  ) throws(ResultError) -> String {
    var hash = ContentHash()
    for run in spread(plan.runs.filter { $0.problem.isEmpty && $0.repetition == 0 }, 4) {
      hash.update((try answer(run, plan, sources, command, .fingerprint) { false } ?? "none").utf8)
    }
    return "fnv1a64:" + hash.hexadecimal
  }

  /// At most `count` elements spread evenly over a list.
  private static func spread(_ runs: [PlannedRun], _ count: Int) -> [PlannedRun] {
    guard runs.count > count, count > 1 else { return Array(runs.prefix(count)) }
    return (0..<count).map { runs[$0 * (runs.count - 1) / (count - 1)] }
  }

  /// The answer of a dedicated worker; `nil` if it fails, traps or takes more than a minute.
  private static func answer(
    _ run: PlannedRun, _ plan: SweepPlan, _ sources: [String: PointSource], _ command: [String],
    _ purpose: WorkerTask.Purpose, _ isStopped: () -> Bool
  ) throws(ResultError) -> String? {
    guard let source = sources[run.pointID] else { return nil }
    let worker = try WorkerProcess(command)
    defer { worker.end(killing: true) }
    let task = WorkerTask(run, source, plan.settings, directory: "", purpose)
    guard worker.begin(task, run: 0, deadline: .now + .seconds(60)) else { return nil }
    while let current = worker.task, current.deadline > .now, !isStopped() {
      guard worker.isReady(within: .milliseconds(200)) else { continue }
      let (answer, isOver) = worker.receive()
      if let answer { return answer.first == "ok" ? answer.last : nil }
      if isOver { return nil }
    }
    return nil
  }
}
