import Files
package import Metrics
import Scenario

/// Writes the tables of a sweep: `runs.csv`, `scalars.csv` and `summary.csv`, with their description.
package enum SweepTables {
  /// The outcome of the runs.
  package struct Outcome: Sendable {
    /// Number of runs by status.
    package var counts: [RunStatus: Int] = [:]
    /// Runs without a result: id, status, cause.
    package var failures: [(id: String, status: RunStatus, cause: String)] = []
    /// Ids of the runs whose files are damaged.
    package var damaged: [String] = []
    /// Metrics that the sweep refers to but no run reports.
    package var missingMetrics: [String] = []

    package var total: Int { counts.values.reduce(0, +) }
    package var isComplete: Bool { counts[.ok, default: 0] == total }

    fileprivate mutating func note(_ run: PlannedRun, _ status: RunStatus, _ cause: String) {
      counts[status, default: 0] += 1
      if status != .ok { failures.append((run.id, status, cause)) }
    }
  }

  /// Assembles the tables of a directory from the files of its runs.
  ///
  /// Rows are in the order of the plan, so that the tables do not depend on sharding, the order of execution or
  /// interruptions.
  ///
  /// - Throws: ``Metrics/ResultError`` when they cannot be written; the previous tables are then unchanged.
  package static func write(_ directory: SweepDirectory) throws(ResultError) -> Outcome {
    try ResultError.wrapping { () throws(FileError) in try assemble(directory) }
  }

  private static func assemble(_ directory: SweepDirectory) throws(FileError) -> Outcome {
    let plan = directory.plan
    let path = directory.path
    let parameters = plan.settings.columns.map(\.name)
    var runs = try TableFile("\(path)/runs.csv", header: runColumns + parameters)
    var scalars = try TableFile("\(path)/scalars.csv", header: ResultTable.scalars.columns.map(\.name))
    var summary = try TableFile(
      "\(path)/summary.csv", header: ["point_id"] + PointSummary.columns + parameters)
    var outcome = Outcome()
    var metrics: Set<String> = []
    for point in plan.points {
      var numbers = PointSummary()
      var failed = 0
      for (run, status, cause, rows) in results(of: point, in: plan, [path], &outcome) {
        outcome.note(run, status, cause)
        try runs.add(
          [run.id, "\(run.index)", run.pointID, "\(run.repetition)", "\(run.seed)", status.rawValue, cause]
            + run.parameters)
        guard status == .ok else {
          failed += 1
          continue
        }
        numbers.add(rows)
        try scalars.add(rows: rows)
      }
      for row in numbers.rows(level: plan.settings.confidenceLevel, failed: failed) {
        metrics.insert(row[PointSummary.metricColumn])
        try summary.add([plan.runs[point.lowerBound].pointID] + row + plan.runs[point.lowerBound].parameters)
      }
    }
    if !metrics.isEmpty {
      let named = plan.settings.metrics + (plan.settings.until.map { [$0.metric] } ?? [])
      outcome.missingMetrics = named.filter { !metrics.contains($0) }
    }
    // Flush all before renaming any, so that a full disk leaves no partial set.
    try runs.seal()
    try scalars.seal()
    try summary.seal()
    try runs.finish()
    try scalars.finish()
    try summary.finish()
    let manifest = SweepManifest(
      settings: plan.settings,
      runs: Dictionary(uniqueKeysWithValues: outcome.counts.map { ($0.key.rawValue, $0.value) }),
      tables: [
        TableRecord(path: "runs.csv", rows: runs.rows, hash: runs.hash),
        TableRecord(path: "scalars.csv", rows: scalars.rows, hash: scalars.hash),
        TableRecord(path: "summary.csv", rows: summary.rows, hash: summary.hash),
      ])
    try WholeFile.write(
      Array(SweepDescription.dataPackage(plan.settings).description.utf8), to: "\(path)/datapackage.json")
    try WholeFile.write(manifest.bytes, to: "\(path)/manifest.json")
    return outcome
  }

  static let runColumns = ["run_id", "run_index", "point_id", "repetition", "seed", "status", "error"]

  /// The outcome of the runs so far, without writing anything.
  ///
  /// - Parameter paths: the directories that hold the runs; where several hold the same run, a result takes precedence.
  package static func outcome(of plan: SweepPlan, in paths: [String]) -> Outcome {
    var outcome = Outcome()
    for point in plan.points {
      for (run, status, cause, _) in results(of: point, in: plan, paths, &outcome) {
        outcome.note(run, status, cause)
      }
    }
    return outcome
  }

  private typealias RunResult = (run: PlannedRun, status: RunStatus, cause: String, rows: [UInt8])

  /// The runs required for a point, with their outcomes.
  private static func results(
    of point: Range<Int>, in plan: SweepPlan, _ paths: [String], _ outcome: inout Outcome
  ) -> [RunResult] {
    let rule = RepetitionRule(plan.settings)
    var results: [RunResult] = []
    var outcomes = [RepetitionRule.Outcome](repeating: .unknown, count: point.count)
    for (repetition, place) in point.enumerated() where plan.contains(plan.runs[place]) {
      let run = plan.runs[place]
      if rule.until != nil, rule.count(outcomes) <= repetition { break }
      let (status, cause, rows) = result(of: run, in: paths, &outcome)
      if status != .missing {
        outcomes[repetition] = rule.outcome(of: RunFile(id: run.id, status: status, rows: rows))
      }
      results.append((run, status, cause, rows))
    }
    return results
  }

  private static func result(
    of run: PlannedRun, in paths: [String], _ outcome: inout Outcome
  ) -> (RunStatus, String, [UInt8]) {
    guard run.problem.isEmpty else { return (.invalid, run.problem, []) }
    let files = paths.compactMap { RunFile.read(run.id, in: $0) }
    if let file = files.first(where: { $0.status == .ok }) ?? files.first {
      return (file.status, file.cause, file.rows)
    }
    if paths.contains(where: { Directory.exists(RunFile.path(of: run.id, in: $0)) }) {
      outcome.damaged.append(run.id)
    }
    return (.missing, "", [])
  }
}
