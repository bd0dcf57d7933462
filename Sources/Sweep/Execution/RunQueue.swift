/// Which runs of a plan are still to be done.
///
/// Without a stopping rule every run is; with one, a point gets further repetitions until its interval is narrow
/// enough, looked at only where every repetition before is known.
struct RunQueue {
  private enum State { case pending, running, finished, unneeded }

  private let plan: SweepPlan
  private var states: [State]
  private var pending: Int = 0
  private var first = 0

  init(_ plan: SweepPlan) {
    self.plan = plan
    states = plan.runs.map { $0.problem.isEmpty && plan.contains($0) ? .pending : .unneeded }
    pending = states.count { $0 == .pending }
  }

  /// Runs that have not ended.
  var pendingCount: Int { pending }

  /// The next run to begin, if any can begin now.
  mutating func next() -> Int? {
    while first < states.count, states[first] != .pending { first += 1 }
    guard first < states.count else { return nil }
    states[first] = .running
    return first
  }

  /// Notes the end of a run, with its result or the directory where that is.
  mutating func finish(_ place: Int, with file: RunFile?, in directory: String = "") {
    guard states[place] == .pending || states[place] == .running else { return }
    states[place] = .finished
    pending -= 1
  }
}
