package import Metrics

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Trial runs whose results are discarded; each has its own worker process, since it may trap.
package enum Trial {
  /// Measures the wall time of runs, executed one at a time.
  ///
  /// - Parameter count: maximum number of runs, spread over the plan.
  /// - Returns: number of runs timed, their total wall time, and a message for each run that was terminated.
  package static func time(
    _ plan: SweepPlan, sources: [String: PointSource], command: [String], count: Int, isStopped: () -> Bool
  ) throws(ResultError) -> (runs: Int, total: Duration, failures: [String]) {
    var total = Duration.zero
    var timed = 0
    var failures: [String] = []
    for run in spread(plan.runs.filter { $0.problem.isEmpty && plan.contains($0) }, count) {
      let start = ContinuousClock.now
      switch try answer(run, plan, sources, command, .probe, isStopped) {
      case .text: break
      case .killed(let signal):
        failures.append(
          "run \(run.id) of point \(run.pointID) was terminated by \(SweepExecution.name(of: signal))")
        continue
      case .none, .stopped: continue
      }
      total += ContinuousClock.now - start
      timed += 1
      if total > .seconds(60) { break }
    }
    return (timed, total, failures)
  }

  /// Computes a hash over the first seconds of some of the plan's meetings; `nil` if a stop was requested.
  ///
  /// It distinguishes builds of the same version that simulate differently, if the difference shows that early. Their
  /// results must not be mixed.
  ///
  /// - Throws: ``Metrics/ResultError`` if no worker lives long enough: a hash over fewer meetings would look like
  ///   another build's, and the sweep could not be resumed.
  package static func fingerprint(
    of plan: SweepPlan, sources: [String: PointSource], command: [String], isStopped: () -> Bool = { false }
  ) throws(ResultError) -> String? {
    var hash = ContentHash()
    for run in spread(plan.runs.filter { $0.problem.isEmpty && $0.repetition == 0 }, 4) {
      var outcome = Answer.none
      var attempts = 0
      repeat {
        outcome = try answer(run, plan, sources, command, .fingerprint, isStopped)
        attempts += 1
      } while outcome.isKilled && attempts < attemptLimit
      switch outcome {
      case .text(let text): hash.update(text.utf8)
      case .none: hash.update("none".utf8)
      case .stopped: return nil
      case .killed(let signal):
        guard traps.contains(signal) else {
          throw ResultError(
            action: "start the sweep",
            cause:
              "its workers were terminated \(attempts) times, at last by \(SweepExecution.name(of: signal))")
        }
        hash.update("none".utf8)
      }
    }
    return hash.text
  }

  /// Number of killed workers after which the fingerprint fails, or its meeting is assumed to trap.
  private static let attemptLimit = 5

  /// Signals that a meeting itself can cause.
  private static let traps = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE]

  /// Outcome of a trial.
  private enum Answer {
    case text(String)
    /// Failure, or more than a minute of wall time.
    case none
    case killed(Int32)
    case stopped

    var isKilled: Bool { if case .killed = self { true } else { false } }
  }

  /// Selects at most `count` elements, spread evenly over a list.
  private static func spread(_ runs: [PlannedRun], _ count: Int) -> [PlannedRun] {
    guard runs.count > count, count > 1 else { return Array(runs.prefix(count)) }
    return (0..<count).map { runs[$0 * (runs.count - 1) / (count - 1)] }
  }

  /// Runs a task in a separate worker and returns its answer.
  private static func answer(
    _ run: PlannedRun, _ plan: SweepPlan, _ sources: [String: PointSource], _ command: [String],
    _ purpose: WorkerTask.Purpose, _ isStopped: () -> Bool
  ) throws(ResultError) -> Answer {
    guard let source = sources[run.pointID] else { return .none }
    let worker = try WorkerProcess(command)
    var hasEnded = false
    defer { if !hasEnded { worker.end(killing: true) } }
    let task = WorkerTask(run, source, plan.settings, directory: "", purpose)
    // If the worker is gone, the loop below reads the end of its output.
    _ = try worker.begin(task, run: 0, deadline: .now + .seconds(60))
    while let current = worker.task, current.deadline > .now {
      if isStopped() { return .stopped }
      guard worker.isReady(within: .milliseconds(200)) else { continue }
      let (answer, isOver) = worker.receive()
      if let answer { return answer.first == "ok" ? .text(answer.last ?? "") : .none }
      guard isOver else { continue }
      hasEnded = true
      let signal = worker.end(killing: false)
      return signal == 0 ? .none : .killed(signal)
    }
    return .none
  }
}
