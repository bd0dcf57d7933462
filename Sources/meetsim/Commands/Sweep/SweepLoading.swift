import ArgumentParser
import Scenario
import Sweep

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Loads sweeps for the commands.
enum SweepLoading {
  /// Plans a sweep; prints errors and exits with 2 if it is invalid.
  static func plan(
    _ path: String, filter: String?, shard: SweepSettings.Shard? = nil
  ) throws -> (file: SweepFile, plan: SweepPlan, sources: [String: PointSource]) {
    do {
      let file = try SweepReader.read(path: path)
      let condition = try filter.map { try SweepReader.condition($0, on: file) }
      let (plan, sources) = try SweepPlanner.plan(
        file, version: Meetsim.version, filter: condition, shard: shard)
      return (file, plan, sources)
    } catch let error as ScenarioError {
      for diagnostic in error.diagnostics { Terminal.error("\(diagnostic)") }
    } catch let error as SweepExpression.SyntaxError {
      Terminal.error("error: --filter '\(filter ?? "")': \(error)")
    } catch let error as SweepPlanner.Failure {
      switch error {
      case .noPoint:
        Terminal.error("\(path): error: no point is left: 'where' and --filter exclude all of them")
      case .tooManyRuns(let count):
        Terminal.error(
          "\(path): error: \(count) runs exceed the limit of \(SweepReader.runLimit) per sweep")
      case .unusedExpectation(let line):
        Terminal.error(
          "\(path):\(line):1: error: where: no point of the sweep satisfies the expectation's conditions")
      case .design(let error): Terminal.error("\(path): error: \(error)")
      case .noValidPoint(let diagnostics):
        for diagnostic in diagnostics { Terminal.error("\(diagnostic)") }
        Terminal.error(
          "\(path): error: no point of the sweep has a valid scenario; the errors above are those of the first"
        )
      }
    }
    throw ExitCode(2)
  }

  /// Program and arguments of a worker.
  static var worker: [String] {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let own =
      count > 0
      ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
      : CommandLine.arguments[0]
    return [own, WorkerCommand.name]
  }

  /// Number of processors available: as allocated by Slurm, else those online.
  static var processors: Int {
    if let given = getenv("SLURM_CPUS_ON_NODE").flatMap({ Int(String(cString: $0)) }), given > 0 {
      return given
    }
    return max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }
}
