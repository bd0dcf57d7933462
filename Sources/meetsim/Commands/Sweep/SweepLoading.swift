import ArgumentParser
import Scenario
import Sweep

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Loads sweeps for every command alike.
enum SweepLoading {
  /// A sweep's plan with the scenario of every point; prints what is wrong and ends with 2.
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
        Terminal.error("\(path): error: no point is left: 'where' and --filter refuse all of them")
      case .tooManyRuns(let count):
        Terminal.error(
          "\(path): error: \(count) runs are more than the \(SweepReader.runLimit) that a sweep may have")
      case .idleExpectation(let line):
        Terminal.error(
          "\(path):\(line):1: error: where: no point of the sweep fulfils the expectation's conditions")
      case .design(let error): Terminal.error("\(path): error: \(error)")
      case .noValidPoint(let diagnostics):
        for diagnostic in diagnostics { Terminal.error("\(diagnostic)") }
        Terminal.error(
          "\(path): error: no point of the sweep has a valid scenario; this is what is wrong with the first")
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

  /// Processors that this process may use: what Slurm gives, else what the system lets it run on.
  static var processors: Int {
    if let given = getenv("SLURM_CPUS_ON_NODE").flatMap({ Int(String(cString: $0)) }), given > 0 {
      return given
    }
    return max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }
}
