import ArgumentParser
import Expectations
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

/// Several repetitions of a scenario, as a sweep of one point: `meetsim run --repetitions`.
struct RepeatedRun {
  let loaded: LoadedScenario
  let seed: UInt64
  let repetitions: Int
  let interval: SimDuration
  let isQuiet: Bool

  /// Results of all repetitions.
  struct Outcome {
    let results: Results
    let expected: ExpectedDirectory
    let isComplete: Bool
  }

  /// Runs the repetitions on all processors, in a temporary directory if no output is named.
  ///
  /// - Throws: `ExitCode` after printing the error and removing incomplete results.
  func execute(output: String?, force: Bool) throws -> Outcome {
    let path = try output ?? Self.temporaryDirectory()
    defer { if output == nil { Directory.remove(path) } }
    do {
      return try execute(in: path, force: force)
    } catch let error as ResultError {
      throw Terminal.exitCode(for: error)
    } catch let error as ResultReadingError {
      Terminal.error("\(error)")
      throw ExitCode(3)
    }
  }

  private func execute(in path: String, force: Bool) throws -> Outcome {
    var planned = try plan()
    try SweepDirectory.checkName(path)
    let fingerprint = try Trial.fingerprint(
      of: planned.plan, sources: planned.sources, command: SweepLoading.worker
    ) { Interruption.received != nil }
    guard let fingerprint else { throw stopped() }
    planned.plan.identify(fingerprint: fingerprint)
    let directory = try SweepDirectory(
      path: path, plan: planned.plan, existing: force ? .replace : .refuse)
    let execution = SweepExecution(
      in: directory, sources: planned.sources, command: SweepLoading.worker, timeout: Self.timeout)
    let progress = SweepProgress(isQuiet: isQuiet)
    do {
      try execution.run(jobs: jobs, report: progress.update) { Interruption.received != nil }
      progress.finish()
      guard Interruption.received == nil else { throw stopped() }
      let outcome = try SweepTables.write(directory)
      SweepReport.failures(outcome)
      return Outcome(
        results: try Results.read(path), expected: try ExpectedDirectory.read(path),
        isComplete: outcome.isComplete)
    } catch {
      progress.finish()
      directory.discard()
      throw error
    }
  }

  private func stopped() -> ExitCode {
    let number = Interruption.received ?? SIGINT
    Terminal.error("\(Interruption.name(of: number)): no results were written")
    return Interruption.exitCode(after: number)
  }

  /// Plans a sweep whose only point is the resolved scenario.
  private func plan() throws -> SweepPlanner.Planned {
    let scenario = loaded.resolvedText.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
    let text =
      "name: \(loaded.plan.name)\nrepetitions: \(repetitions)\ninterval: \(interval)\nseed: \(seed)\n"
      + "scenario:\n" + scenario
    do {
      var file = try SweepReader.read(
        bytes: Array(text.utf8), file: loaded.file, directory: Loading.directory(of: loaded.file))
      file.title = loaded.plan.title
      file.expectations = loaded.plan.expectations.map { SweepFile.PointExpectation($0) }
      var planned = try SweepPlanner.plan(file, version: Meetsim.version)
      planned.plan.settings.command = "run"
      return planned
    } catch let error as ScenarioError {
      for diagnostic in error.diagnostics { Terminal.error("\(diagnostic)") }
    } catch {
      Terminal.error("error: --repetitions: \(error)")
    }
    throw ExitCode(2)
  }

  /// Number of parallel runs, limited by processors and memory.
  private var jobs: Int {
    min(SweepLoading.processors, MachineMemory.fitting(loaded.plan.memoryNeed), repetitions)
  }

  /// A single meeting may take any amount of time, but a worker needs a timeout.
  static let timeout = Duration.seconds(30 * 86_400)

  static func temporaryDirectory() throws -> String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(Directory.withoutTrailingSlashes(parent))/meetsim-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Output.exitCode(after: FileError(action: "make a directory in '\(parent)'"))
    }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
