/// Assignment of runs to shards.
extension SweepPlan {
  /// Checks whether a run belongs to the plan's shard.
  ///
  /// Run k belongs to shard 1 + k mod N, which spreads slow points over all shards. With a stopping rule, which needs
  /// all repetitions of a point, k is the point's index.
  package func contains(_ run: PlannedRun) -> Bool {
    guard let shard = settings.shard else { return true }
    let number = settings.until == nil ? run.index : (Int(run.pointID.dropFirst()) ?? 1) - 1
    return number % shard.count == shard.index - 1
  }
}

extension SweepSettings.Shard {
  /// Reason why a shard cannot be determined.
  package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
    package var description: String
  }

  /// Maximum number of shards.
  private static let limit = 100_000

  /// Parses `I/N`, `auto`, or `auto/N` for environments that export a task's index but not the number of tasks.
  ///
  /// - Parameter environment: returns the value of an environment variable, if set.
  /// - Throws: ``Failure`` for anything else, and for `auto` outside the known batch systems.
  package init(_ text: String, environment: (String) -> String?) throws(Failure) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let count = parts.count == 2 ? Int(parts[1]) : nil
    guard parts.count == 1 || parts.count == 2 && count != nil,
      count.map({ (1...Self.limit).contains($0) }) ?? true
    else { throw Failure(description: "'\(text)' is not I/N, such as '1/4', nor 'auto' nor 'auto/N'") }
    if parts[0] == "auto" {
      try self.init(environment: environment, count: count)
      return
    }
    guard let index = Int(parts[0]), let count, (1...count).contains(index) else {
      throw Failure(description: "'\(text)' is not I/N with I from 1 to N, such as '1/4'")
    }
    self.init(index: index, count: count)
  }

  private init(environment: (String) -> String?, count given: Int?) throws(Failure) {
    func number(_ name: String) -> Int? { environment(name).flatMap { Int($0) } }
    for system in BatchSystem.all {
      guard let value = number(system.index) else { continue }
      // A count on the command line is the total: a task that is rerun alone keeps its index.
      let first = given == nil ? system.first.flatMap { number($0) } ?? system.base : system.base
      let step = given == nil ? system.step.flatMap { number($0) } ?? 1 : 1
      let known =
        system.count.flatMap { number($0) }
        ?? system.last.flatMap { number($0) }.flatMap { Self.place(of: $0, from: first, by: step) }
      guard let count = given ?? known else {
        throw Failure(
          description: "\(system.index) gives this task's index, but the number of tasks is not known: "
            + "use auto/N")
      }
      guard (1...Self.limit).contains(count), let index = Self.place(of: value, from: first, by: step),
        (1...count).contains(index)
      else {
        throw Failure(description: "\(system.index)=\(value) is out of range for \(count) tasks")
      }
      self.init(index: index, count: count)
      return
    }
    throw Failure(
      description: "cannot determine the shard from the environment (looked for "
        + BatchSystem.all.map(\.index).joined(separator: ", ") + "): use I/N")
  }
}

extension SweepSettings.Shard {
  /// Computes the position of a task in its array, from 1; `nil` if the numbers are too large.
  private static func place(of task: Int, from first: Int, by step: Int) -> Int? {
    let distance = task.subtractingReportingOverflow(first)
    let place = (distance.partialValue / max(1, step)).addingReportingOverflow(1)
    return distance.overflow || place.overflow ? nil : place.partialValue
  }
}

/// Environment variables in which a batch or CI system exports a task's index.
private struct BatchSystem {
  /// Variable with the task's index.
  var index: String
  /// Index of the first task, unless a variable gives it.
  var base: Int
  var count: String?
  var first: String?
  var last: String?
  var step: String?

  /// Source: the manuals of Slurm, GitLab, CircleCI, Buildkite, Kubernetes, AWS Batch, PBS and Grid Engine.
  static let all = [
    BatchSystem(
      index: "SLURM_ARRAY_TASK_ID", base: 1, count: "SLURM_ARRAY_TASK_COUNT", first: "SLURM_ARRAY_TASK_MIN",
      step: "SLURM_ARRAY_TASK_STEP"),
    BatchSystem(index: "CI_NODE_INDEX", base: 1, count: "CI_NODE_TOTAL"),
    BatchSystem(index: "CIRCLE_NODE_INDEX", base: 0, count: "CIRCLE_NODE_TOTAL"),
    BatchSystem(index: "BUILDKITE_PARALLEL_JOB", base: 0, count: "BUILDKITE_PARALLEL_JOB_COUNT"),
    BatchSystem(index: "JOB_COMPLETION_INDEX", base: 0),
    BatchSystem(index: "AWS_BATCH_JOB_ARRAY_INDEX", base: 0, count: "AWS_BATCH_JOB_ARRAY_SIZE"),
    BatchSystem(index: "PBS_ARRAY_INDEX", base: 1),
    BatchSystem(
      index: "SGE_TASK_ID", base: 1, first: "SGE_TASK_FIRST", last: "SGE_TASK_LAST", step: "SGE_TASK_STEPSIZE"
    ),
  ]
}
