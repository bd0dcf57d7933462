import ArgumentParser
import Expectations
import Files
import JSON
import Meeting
import Metrics
import Plan
import Quantity
import Scenario
import Sweep

/// Loads scenarios for the commands.
enum Loading {
  /// Name that stands for standard input.
  static let standardInput = "-"

  /// Reads the scenario at a path, or on standard input (`-`); prints errors and exits with 2 if it is invalid.
  static func scenario(
    _ path: String, overrides: [String] = [], for purpose: ScenarioPurpose = .run
  ) throws -> LoadedScenario {
    do {
      let source =
        path == standardInput
        ? try ScenarioSource(bytes: standardInputBytes(), file: "<stdin>", directory: "")
        : try ScenarioSource(path: path)
      guard !SweepReader.isSweep(source) else {
        Terminal.error(
          "\(source.file):1:1: error: this is a sweep, not a scenario: it is for 'meetsim sweep'")
        throw ExitCode(2)
      }
      return try source.load(settings: overrides.map { Override($0) }, for: purpose)
    } catch let error as ScenarioError {
      for diagnostic in error.diagnostics { Terminal.error("\(diagnostic)") }
      throw ExitCode(2)
    }
  }

  private static func standardInputBytes() throws(ScenarioError) -> [UInt8] {
    do {
      return try FileReader.bytes(of: "/dev/stdin", limit: ScenarioReader.sizeLimit)
    } catch {
      throw ScenarioError(diagnostics: [
        Diagnostic(
          file: "<stdin>", line: 1, column: 1,
          message:
            "cannot read standard input: \(error.cause): pipe a scenario into the command, or name its file")
      ])
    }
  }

  /// Directory of a scenario file, with a trailing slash, for resolving trace paths; empty for the working directory.
  static func directory(of file: String) -> String {
    file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
  }
}

/// A run of a loaded scenario, with a progress bar and a result directory.
struct ScenarioRun {
  let loaded: LoadedScenario
  let seed: UInt64
  let repetition: Int
  let interval: SimDuration
  /// Tables to write.
  var tables = ResultTable.allCases
  var compresses = false
  let showsProgress: Bool

  /// Run id, determined by version, scenario, traces, seed and repetition.
  var runID: String {
    RunIdentity.id(of: loaded, version: Meetsim.version, seed: seed, repetition: repetition)
  }

  /// Runs the meeting and writes the output directory, if any, atomically.
  ///
  /// - Returns: the result, and the bytes of `scalars.csv`.
  func execute(
    output: String?, force: Bool
  ) throws(ResultError) -> (result: MeetingRun.Result, scalars: [UInt8]) {
    guard let output else {
      var sink = ScalarsCopy(of: DiscardingSink(), for: loaded.plan.expectations, every: interval)
      let result = try simulate(into: &sink)
      return (result, sink.scalars)
    }
    ResultDirectory.removeLeftovers(of: output)
    var copy = ScalarsCopy(
      of: try ResultDirectory(path: output, replaces: force, tables: tables, compresses: compresses),
      for: loaded.plan.expectations, every: interval)
    let clock = ContinuousClock()
    let start = clock.now
    let result = try simulate(into: &copy)
    guard result.outcome == .finished else { return (result, copy.scalars) }
    let wall = clock.now - start
    let seconds = Double(wall.components.seconds) + Double(wall.components.attoseconds) / 1e18
    let manifest = ResultDescription.manifest(
      version: Meetsim.version, scenario: loaded.plan.name, resolved: loaded.resolvedText,
      estimators: loaded.plan.estimatorRecord, seed: seed, repetition: repetition, interval: "\(interval)",
      traces: loaded.traces.map { ($0.path, ContentHash(of: $0.bytes)) }, eventCount: result.eventCount,
      packetHops: result.packetHops, cost: (seconds, MachineMemory.peak),
      simulatedSeconds: loaded.plan.duration.seconds,
      tables: TableRecord.all(
        rowCounts: result.rowCounts, hashes: copy.base.hashes, tables: tables, isCompressed: compresses),
      scenarioFile: loaded.file,
      expectations: loaded.plan.expectations.map(Self.record))
    try copy.base.add(file: "manifest.json", content: manifest.description)
    try copy.base.add(
      file: "datapackage.json",
      content: ResultDescription.dataPackage(
        name: loaded.plan.name, tables: tables, isCompressed: compresses
      ).description)
    try copy.base.finish()
    return (result, copy.scalars)
  }

  /// Describes an expectation in the manifest.
  private static func record(_ expectation: Expectation) -> JSONValue {
    var entries: [(String, JSONValue)] = [
      ("scope", .text(expectation.scope.rawValue)),
      ("viewer", .text(expectation.viewer)), ("source", .text(expectation.source)),
      ("metric", .text(expectation.metric)), ("stat", .text(expectation.stat)),
      ("relation", .text(expectation.relation.rawValue)), ("bound", .real(expectation.bound)),
      ("line", .integer(Int64(expectation.line))), ("column", .integer(Int64(expectation.column ?? 1))),
    ]
    if let measure = expectation.measure { entries.append(("measure", record(measure))) }
    return .object(entries)
  }

  private static func record(_ measure: Expectation.Measure) -> JSONValue {
    var entries: [(String, JSONValue)] = [
      ("column", .text(measure.column)), ("statistic", .text(measure.statistic.rawValue)),
      ("unit", .text(measure.unit)), ("direction", .text(measure.direction.rawValue)),
    ]
    if let from = measure.from { entries.append(("from", .integer(from))) }
    if let to = measure.to { entries.append(("to", .integer(to))) }
    if let target = measure.target {
      entries.append(
        (
          "target",
          .object([("relation", .text(target.relation.rawValue)), ("bound", .real(target.bound))])
        ))
    }
    return .object(entries)
  }

  private func simulate<Base: TableSink & ~Copyable>(
    into sink: inout ScalarsCopy<Base>
  ) throws(ResultError) -> MeetingRun.Result {
    let bar = showsProgress && Terminal.showsProgress ? ProgressBar(total: loaded.plan.duration) : nil
    defer { bar?.finish() }
    let id = runID
    CrashNotice.announce(scenario: loaded.plan.name, file: loaded.file, seed: seed)
    var result = try MeetingRun.run(
      loaded.plan, seed: seed, repetition: repetition, interval: interval, runID: id, into: &sink
    ) { now in
      bar?.update(now)
      return Interruption.received == nil
    }
    let measured = sink.measurements.rows(runID: id)
    try sink.write(measured.bytes, to: .scalars)
    result.rowCounts[ResultTable.scalars.rawValue] += measured.count
    return result
  }
}

/// A sink that copies the whole-run values as they are written, and measures the values that expectations need.
private struct ScalarsCopy<Base: TableSink & ~Copyable>: TableSink, ~Copyable {
  var base: Base
  private(set) var scalars: [UInt8] = []
  private(set) var measurements: IntervalMeasurements

  init(of base: consuming Base, for expectations: [Expectation], every interval: SimDuration) {
    self.base = base
    measurements = IntervalMeasurements(expectations, interval: interval.nanoseconds / 1_000_000)
  }

  mutating func write(_ bytes: [UInt8], to table: ResultTable) throws(ResultError) {
    if table == .scalars { scalars += bytes } else { measurements.add(bytes, to: table) }
    try base.write(bytes, to: table)
  }
}

/// A line with simulated time, speed relative to real time, and time left.
final class ProgressBar {
  private let total: SimDuration
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var lastShown: ContinuousClock.Instant

  init(total: SimDuration) {
    self.total = total
    start = clock.now
    lastShown = clock.now
  }

  func update(_ now: SimTime) {
    let wallNow = clock.now
    guard wallNow - lastShown >= .milliseconds(200) else { return }
    lastShown = wallNow
    let wall = (wallNow - start) / Duration.seconds(1)
    let speed = now.seconds / max(wall, 1e-9)
    let left = (total.seconds - now.seconds) / max(speed, 1e-9)
    let done = Int(30 * now.seconds / max(total.seconds, 1e-9))
    let bar = String(repeating: "#", count: done) + String(repeating: "-", count: max(0, 30 - done))
    Terminal.progress(
      "[\(bar)] \(Int(now.seconds)) s, \(Int(speed)) x real time, \(DisplayDuration.text(left)) left")
  }

  func finish() { Terminal.progress("") }
}
