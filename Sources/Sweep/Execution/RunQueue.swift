/// The runs of a plan that remain to be done.
struct RunQueue {
  private enum State { case pending, running, finished }

  private let rule: RepetitionRule
  private let points: [Range<Int>]
  /// The point number of each run.
  private var pointOf: [Int]
  private var states: [State]
  private var outcomes: [RepetitionRule.Outcome]
  /// Repetitions granted to each point so far.
  private var granted: [Int]
  /// Runs in the order in which they may start.
  private var ready: [Int] = []
  /// Index in ``ready`` of the first run not yet considered.
  private var head = 0
  private var unfinished = 0

  init(_ plan: SweepPlan) {
    rule = RepetitionRule(plan.settings)
    points = plan.points
    states = plan.runs.map { $0.problem.isEmpty && plan.contains($0) ? .pending : .finished }
    outcomes = plan.runs.map { $0.problem.isEmpty && plan.contains($0) ? .unknown : .none }
    pointOf = []
    granted = []
    for (number, point) in points.enumerated() {
      pointOf += [Int](repeating: number, count: point.count)
      granted.append(0)
    }
    for point in points.indices { grant(point) }
  }

  /// Number of granted runs that are unfinished.
  var pendingCount: Int { unfinished }

  /// `true` if ``finish(_:with:)`` needs the result files.
  var needsResults: Bool { rule.until != nil }

  /// The next run to start, if any can start now.
  mutating func next() -> Int? {
    while head < ready.count {
      head += 1
      guard states[ready[head - 1]] == .pending else { continue }
      states[ready[head - 1]] = .running
      return ready[head - 1]
    }
    return nil
  }

  /// Marks a run as finished; its file is required when ``needsResults``.
  mutating func finish(_ place: Int, with file: RunFile?) {
    guard states[place] != .finished else { return }
    let isGranted = place - points[pointOf[place]].lowerBound < granted[pointOf[place]]
    states[place] = .finished
    outcomes[place] = file.map { rule.outcome(of: $0) } ?? .none
    if isGranted { unfinished -= 1 }
    if rule.until != nil { grant(pointOf[place]) }
  }

  /// Grants a point the repetitions that it needs, given the results so far.
  private mutating func grant(_ point: Int) {
    let range = points[point]
    let count = rule.count(Array(outcomes[range]))
    guard count > granted[point] else { return }
    let more = range.lowerBound + granted[point]..<range.lowerBound + count
    granted[point] = count
    for place in more where states[place] != .finished {
      ready.append(place)
      unfinished += 1
    }
    // The existing results may call for still more repetitions.
    if rule.until != nil { grant(point) }
  }
}
