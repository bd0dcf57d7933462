import ArgumentParser
import Comparison
import Files
import Meeting
import Metrics
import Plan
import Quantity
import ResultReading
import Scenario
import Sweep

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs of variants with common random numbers, repeated until their ranking is decided.
struct VariantRun {
  let source: ScenarioSource
  let loaded: LoadedScenario
  let overrides: [Override]
  let variants: [Variant]
  let seed: UInt64?
  /// Directory in which to keep the runs; `nil` for none.
  let output: String?
  let force: Bool

  /// Runs the repetitions in one look after another; the runs of earlier looks are kept.
  ///
  /// - Returns: the last ranking, and `false` if a run has no result.
  /// - Throws: `ExitCode` after printing the error.
  func execute(
    looks: [Int], rank: (Results) throws(ComparisonError) -> VariantRanking
  ) throws -> (ranking: VariantRanking, isComplete: Bool) {
    let folder = try RepeatedRun.temporaryDirectory()
    defer { Directory.remove(folder) }
    do {
      if let output {
        try SweepDirectory.checkName(output)
        if Directory.exists(output), !force {
          throw ResultError(
            action: "write to '\(output)'", cause: "it exists: choose another directory, or use --force",
            isUsage: true)
        }
      }
      var fingerprint: String?
      var ranking: VariantRanking?
      var isComplete = true
      var last: (plan: SweepPlan, path: String)?
      for (number, repetitions) in looks.enumerated() {
        var planned = try plan(repetitions)
        if fingerprint == nil {
          fingerprint = try Trial.fingerprint(
            of: planned.plan, sources: planned.sources, command: SweepLoading.worker
          ) { Interruption.received != nil }
        }
        guard let known = fingerprint else { throw stopped() }
        planned.plan.identify(fingerprint: known)
        let path = "\(folder)/\(number)"
        isComplete = try run(planned, in: path, after: last?.path)
        last = (planned.plan, path)
        let found = try rank(try Results.read(path))
        ranking = found
        if found.isDecided { break }
      }
      guard let ranking, let last else { throw stopped() }
      if let output { try keep(last.plan, from: last.path, in: output) }
      return (ranking, isComplete)
    } catch let error as ResultError {
      throw Terminal.exitCode(for: error)
    } catch let error as ResultReadingError {
      Terminal.error("\(error)")
      throw ExitCode(3)
    } catch let error as ComparisonError {
      Terminal.error("error: \(error)")
      throw ExitCode(2)
    }
  }

  private func plan(_ repetitions: Int) throws -> SweepPlanner.Planned {
    let file = SweepFile.variants(
      variants, of: source, name: loaded.plan.name, title: loaded.plan.title, settings: overrides,
      repetitions: repetitions, seed: seed)
    do {
      return try SweepPlanner.plan(file, version: Meetsim.version)
    } catch {
      Terminal.error("error: the variants cannot be run: \(error)")
      throw ExitCode(2)
    }
  }

  /// - Returns: `false` if a run has no result.
  private func run(
    _ planned: SweepPlanner.Planned, in path: String, after previous: String?
  ) throws -> Bool {
    let directory = try SweepDirectory(path: path, plan: planned.plan, existing: .refuse)
    if let previous { try SweepMerge.merge([previous], into: directory) }
    let execution = SweepExecution(
      in: directory, sources: planned.sources, command: SweepLoading.worker, timeout: RepeatedRun.timeout)
    let need = planned.largest?.need ?? loaded.plan.memoryNeed
    let jobs = min(SweepLoading.processors, MachineMemory.fitting(need))
    let progress = SweepProgress(isQuiet: false)
    defer { progress.finish() }
    try execution.run(jobs: jobs, report: progress.update) { Interruption.received != nil }
    guard Interruption.received == nil else { throw stopped() }
    let outcome = try SweepTables.write(directory)
    SweepReport.failures(outcome)
    return outcome.isComplete
  }

  /// Writes the runs as a sweep's directory.
  private func keep(_ plan: SweepPlan, from path: String, in output: String) throws {
    let directory = try SweepDirectory(path: output, plan: plan, existing: force ? .replace : .refuse)
    try SweepMerge.merge([path], into: directory)
    _ = try SweepTables.write(directory)
  }

  private func stopped() -> ExitCode {
    let number = Interruption.received ?? SIGINT
    Terminal.error("\(Interruption.name(of: number)): the variants are not ranked")
    return Interruption.exitCode(after: number)
  }
}
