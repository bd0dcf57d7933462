import Expectations
import Files
import JSON
package import Metrics
import Scenario

/// Tables of a sweep: `runs.csv`, `scalars.csv` and `summary.csv`, with their description.
package enum SweepTables {
  /// Outcome of the runs.
  package struct Outcome: Sendable {
    /// Number of runs by status.
    package var counts: [RunStatus: Int] = [:]
    /// First runs without a result, at most ten.
    package private(set) var failures: [Failure] = []
    /// Metrics that the sweep refers to but no run reports.
    package var missingMetrics: [String] = []

    package var total: Int { counts.values.reduce(0, +) }
    package var isComplete: Bool { counts[.ok, default: 0] == total }

    package var failureCount: Int { total - counts[.ok, default: 0] }

    fileprivate mutating func note(_ run: PlannedRun, of plan: SweepPlan, _ result: RunResult) {
      counts[result.status, default: 0] += 1
      guard result.status != .ok, failures.count < Self.listed else { return }
      let values = zip(plan.settings.columns, run.parameters).map { (name: String($0.title), value: $1) }
      let point = values.isEmpty ? "" : PointText.point(named: values) + ", "
      failures.append(
        Failure(
          id: run.id, point: "\(point)repetition \(run.repetition)", status: result.status,
          cause: result.cause, isDamaged: result.isDamaged))
    }

    /// Maximum number of ``failures``.
    private static let listed = 10
  }

  /// A run without a result.
  package struct Failure: Sendable {
    package var id: String
    /// Values of the variables and the repetition, in words.
    package var point: String
    package var status: RunStatus
    package var cause: String
    /// Set if the run's file is damaged.
    package var isDamaged: Bool
  }

  /// Assembles a directory's tables from the files of its runs.
  ///
  /// Rows are in the order of the plan, so that the tables do not depend on sharding, the order of execution or
  /// interruptions.
  ///
  /// - Throws: ``Metrics/ResultError`` if they cannot be written; the previous tables are then unchanged.
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
      try forEachResult(of: point, in: plan, [path]) { run, result throws(FileError) in
        outcome.note(run, of: plan, result)
        try runs.add(
          [
            run.id, "\(run.index)", run.pointID, "\(run.repetition)", "\(run.seed)", result.status.rawValue,
            result.cause,
          ] + run.parameters)
        guard result.status == .ok else {
          failed += 1
          return
        }
        numbers.add(result.rows)
        try scalars.add(rows: result.rows)
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
    // Everything is flushed before anything is replaced, so that a full disk leaves no partial set.
    try runs.seal()
    try scalars.seal()
    try summary.seal()
    let manifest = SweepManifest(
      settings: plan.settings,
      runs: Dictionary(uniqueKeysWithValues: outcome.counts.map { ($0.key.rawValue, $0.value) }),
      tables: [runs.written("runs.csv"), scalars.written("scalars.csv"), summary.written("summary.csv")])
    var description = try sealed(
      Array(SweepDescription.dataPackage(plan.settings).description.utf8), "\(path)/datapackage.json")
    var outcomes = try sealed(manifest.bytes(), "\(path)/manifest.json")
    // Without its previous tables, the directory is an interrupted sweep until all new ones are in place: the manifest
    // never states the hash of a table other than the one beside it.
    for name in ["runs.csv", "scalars.csv", "summary.csv"] { Directory.remove("\(path)/\(name)") }
    try outcomes.finish()
    try description.finish()
    try runs.finish()
    try summary.finish()
    try scalars.finish()
    return outcome
  }

  /// Writes a file to disk completely, except for its final name.
  private static func sealed(_ bytes: [UInt8], _ path: String) throws(FileError) -> WholeFile {
    let file = try WholeFile(path)
    try file.write(bytes)
    try file.synchronize()
    return file
  }

  static let runColumns = ["run_id", "run_index", "point_id", "repetition", "seed", "status", "error"]

  /// Determines the outcome of the runs so far, without writing anything.
  ///
  /// - Parameter paths: directories of the runs; if several hold the same run, a result takes precedence.
  package static func outcome(of plan: SweepPlan, in paths: [String]) -> Outcome {
    var outcome = Outcome()
    for point in plan.points {
      forEachResult(of: point, in: plan, paths) { run, result in outcome.note(run, of: plan, result) }
    }
    return outcome
  }

  /// Outcome of a run, with its rows of `scalars.csv`.
  fileprivate struct RunResult {
    var status: RunStatus
    var cause = ""
    var rows: [UInt8] = []
    var isDamaged = false
  }

  /// Reads the runs required for a point, one by one.
  private static func forEachResult<Failure: Error>(
    of point: Range<Int>, in plan: SweepPlan, _ paths: [String],
    _ body: (PlannedRun, RunResult) throws(Failure) -> Void
  ) throws(Failure) {
    let rule = RepetitionRule(plan.settings)
    var outcomes = [RepetitionRule.Outcome](repeating: .unknown, count: rule.until == nil ? 0 : point.count)
    for (repetition, place) in point.enumerated() where plan.contains(plan.runs[place]) {
      let run = plan.runs[place]
      if rule.until != nil, rule.count(outcomes) <= repetition { break }
      let result = result(of: run, in: paths)
      if rule.until != nil, result.status != .missing {
        outcomes[repetition] = rule.outcome(of: RunFile(id: run.id, status: result.status, rows: result.rows))
      }
      try body(run, result)
    }
  }

  private static func result(of run: PlannedRun, in paths: [String]) -> RunResult {
    guard run.problem.isEmpty else { return RunResult(status: .invalid, cause: run.problem) }
    var failed: RunFile?
    for path in paths {
      guard let file = RunFile.read(run.id, in: path) else { continue }
      if file.status == .ok { return RunResult(status: .ok, cause: file.cause, rows: file.rows) }
      failed = failed ?? file
    }
    if let failed { return RunResult(status: failed.status, cause: failed.cause, rows: failed.rows) }
    return RunResult(status: .missing, isDamaged: paths.contains { RunFile.exists(run.id, in: $0) })
  }
}
