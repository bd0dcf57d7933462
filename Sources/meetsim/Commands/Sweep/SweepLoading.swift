import ArgumentParser
import Plan
import Scenario
import Sweep

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Loads sweeps for the commands.
enum SweepLoading {
  /// Maximum number of warnings to print.
  private static let warningLimit = 20

  /// Plans a sweep and prints each warning on its scenarios once; prints errors and exits with 2 if it is invalid.
  static func plan(
    _ path: String, filter: String?, shard: SweepSettings.Shard? = nil, isQuiet: Bool = false
  ) throws -> (file: SweepFile, planned: SweepPlanner.Planned) {
    try plan(
      printingErrors { () throws(ScenarioError) in try ScenarioSource(path: path) }, filter: filter,
      shard: shard, isQuiet: isQuiet)
  }

  /// Plans the sweep of a parsed file.
  static func plan(
    _ source: ScenarioSource, filter: String?, shard: SweepSettings.Shard? = nil, isQuiet: Bool = false
  ) throws -> (file: SweepFile, planned: SweepPlanner.Planned) {
    guard !SweepReader.isScenario(source) else {
      Terminal.error("\(source.file):1:1: error: this is a scenario, not a sweep: it is for 'meetsim run'")
      throw ExitCode(2)
    }
    let file = try printingErrors { () throws(ScenarioError) in try SweepReader.read(source) }
    var condition: SweepExpression?
    do {
      condition = try filter.map { try SweepReader.condition($0, on: file) }
      let planned = try SweepPlanner.plan(
        file, version: Meetsim.version, filter: condition, shard: shard)
      if !isQuiet {
        printWarnings(planned.warnings, of: file)
        warnOfFewRuns(file)
      }
      return (file, planned)
    } catch let error as SweepExpression.SyntaxError {
      Terminal.error("error: --filter '\(filter ?? "")', column \(error.column): \(error)")
    } catch let error as SweepPlanner.Failure {
      switch error {
      case .noPoint:
        let hint = hint(on: file.constraints + [condition].compactMap(\.self), of: file)
        let cause = "no point is left: 'where' and --filter exclude all of them" + hint
        Terminal.error("\(file.constraintPosition): error: \(cause)")
      case .tooManyRuns(let count):
        Terminal.error(
          "\(file.designPosition): error: \(count) runs exceed the limit of \(SweepReader.runLimit) per sweep"
        )
      case .unusedExpectation(let position):
        let expected = file.expectations.first {
          ($0.expectation.line, $0.expectation.column ?? 1) == (position.line, position.column)
        }
        Terminal.error(
          "\(position): error: where: no point of the sweep satisfies the expectation's conditions"
            + hint(on: expected?.conditions ?? [], of: file))
      case .design(let error): Terminal.error("\(file.designPosition): error: \(error)")
      case .noValidPoint(let diagnostics):
        for diagnostic in diagnostics { Terminal.error("\(diagnostic)") }
        Terminal.error(
          "\(file.designPosition): error: no point of the sweep has a valid scenario; the errors above are those "
            + "of the first")
      }
    }
    throw ExitCode(2)
  }

  /// Returns the result of the body; exits with 2 after printing a scenario's errors.
  static func printingErrors<T>(_ body: () throws(ScenarioError) -> T) throws -> T {
    do {
      return try body()
    } catch {
      for diagnostic in error.diagnostics { Terminal.error("\(diagnostic)") }
      throw ExitCode(2)
    }
  }

  /// Suggests values for those in conditions that no point has; empty if all occur.
  private static func hint(on conditions: [SweepExpression], of file: SweepFile) -> String {
    let points = (try? SweepDesign.points(of: file)) ?? []
    let unknown = conditions.lazy.compactMap { $0.unknownValue(in: points) }.first
    return unknown.map { ": there is no '\($0.value)': \(Suggestion.text(for: $0.value, among: $0.known))" }
      ?? ""
  }

  /// Warns if the points have so few repetitions that most expectations will be inconclusive.
  private static func warnOfFewRuns(_ file: SweepFile) {
    let count = max(file.runs.repetitions, file.runs.until?.maximum ?? 0)
    guard let first = file.expectations.first?.expectation, (2...4).contains(count) else { return }
    let position = FilePosition(file: file.path, line: first.line, column: first.column ?? 1)
    Terminal.error(
      "\(position): warning: \(count) repetitions decide little: a point that has become worse is inconclusive, not failed, "
        + "and 'check' exits with 0; use 'check --strict', five repetitions or more, or one and the seed as a variable, "
        + "'seed: {path: seed, values: [1, 2]}'")
  }

  private static func printWarnings(_ warnings: [Diagnostic], of file: SweepFile) {
    for warning in warnings.prefix(warningLimit) { Terminal.error("\(warning)") }
    let rest = warnings.count - warningLimit
    if rest > 0 {
      Terminal.error("\(file.designPosition): warning: \(rest) more warnings on the scenarios of its points")
    }
  }

  /// Program and arguments that start a worker.
  static var worker: [String] {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let own =
      count > 0
      ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
      : CommandLine.arguments[0]
    return [own, WorkerCommand.name]
  }

  /// Maximum number of parallel runs.
  static let jobLimit = 1024

  /// Number of available processors: those allocated by Slurm, or else those online.
  static var processors: Int {
    if let given = getenv("SLURM_CPUS_ON_NODE").flatMap({ Int(String(cString: $0)) }), given > 0 {
      return min(given, jobLimit)
    }
    return min(max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))), jobLimit)
  }
}
