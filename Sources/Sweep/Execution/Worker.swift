import Expectations
import Files
import JSON
import Meeting
import Metrics
import Plan
import Quantity
import Scenario

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A process that runs meetings for a sweep: a trap ends only this process.
package enum Worker {
  /// Reads tasks from standard input and answers on standard output until the input ends.
  package static func serve() {
    // The sweep decides when to stop; workers ignore signals sent to the process group. They were blocked until now.
    for number in StopSignals.all + [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    var blocked = StopSignals.set
    sigprocmask(SIG_UNBLOCK, &blocked, nil)
    let parent = getppid()
    var scenario = PointScenario()
    var buffer: [UInt8] = []
    while true {
      while let fields = Frames.next(in: &buffer) {
        guard let task = WorkerTask(fields: fields),
          Frames.send(perform(task, &scenario, parent: parent), to: STDOUT_FILENO)
        else { return }
      }
      guard Frames.receive(from: STDIN_FILENO, into: &buffer) else { return }
    }
  }

  /// Simulated duration of a meeting in a fingerprint.
  private static let fingerprintLength = SimDuration.seconds(3)

  /// Runs a task and writes its file; the answer is `ok`, or `failed` or `unwritable` with the cause.
  private static func perform(
    _ task: WorkerTask, _ scenario: inout PointScenario, parent: pid_t
  ) -> [String] {
    let loaded: LoadedScenario
    do {
      loaded = try scenario.read(task.source)
    } catch {
      return ["failed", error.diagnostics.first?.message ?? "the scenario is not valid"]
    }
    guard task.runID == identity(of: loaded, task) else {
      return ["failed", "a trace file changed after the sweep began"]
    }
    do {
      if task.purpose != .result { return ["ok", try hash(task, loaded)] }
      let rows = try run(task, loaded, parent: parent)
      try RunFile(id: task.runID, status: .ok, rows: rows).write(in: task.directory)
      return ["ok"]
    } catch {
      return ["unwritable", "\(error.action): \(error.cause)"]
    }
  }

  /// Hashes all tables of a meeting, shortened for a fingerprint.
  private static func hash(_ task: WorkerTask, _ loaded: LoadedScenario) throws(ResultError) -> String {
    var plan = loaded.plan
    if task.purpose == .fingerprint { plan.duration = min(plan.duration, fingerprintLength) }
    var sink = HashSink()
    _ = try MeetingRun.run(
      plan, seed: task.seed, repetition: task.repetition, interval: SimDuration(nanoseconds: task.interval),
      runID: "r", into: &sink)
    return sink.hash.hexadecimal
  }

  private static func identity(of loaded: LoadedScenario, _ task: WorkerTask) -> String {
    var sent = loaded
    sent.resolvedText = task.source.scenario
    return RunIdentity.id(
      of: sent, version: task.version, seed: task.seed, repetition: task.repetition, copy: task.source.copy)
  }

  /// Runs a meeting and returns its selected rows of scalars; writes all tables if the sweep keeps series.
  private static func run(
    _ task: WorkerTask, _ loaded: LoadedScenario, parent: pid_t
  ) throws(ResultError) -> [UInt8] {
    let progress = { (_: SimTime) in
      // The result of an orphaned worker is useless.
      if getppid() != parent { exit(1) }
      return true
    }
    var kept = KeptRows(task)
    guard task.keepsSeries else {
      _ = try MeetingRun.run(
        loaded.plan, seed: task.seed, repetition: task.repetition,
        interval: SimDuration(nanoseconds: task.interval), runID: task.runID, into: &kept, progress: progress)
      return kept.allRows
    }
    let place = "\(task.directory)/series/\(task.runID)"
    Directory.remove(place)
    let directory = try ResultDirectory(
      path: place, replaces: false, compresses: task.compressesSeries)
    var sink = SeriesSink(kept: kept, directory: directory)
    let result = try MeetingRun.run(
      loaded.plan, seed: task.seed, repetition: task.repetition,
      interval: SimDuration(nanoseconds: task.interval), runID: task.runID, into: &sink, progress: progress)
    let manifest = ResultDescription.manifest(
      version: task.version, scenario: loaded.plan.name, resolved: task.source.scenario,
      estimators: loaded.plan.estimatorRecord, seed: task.seed, repetition: task.repetition,
      interval: "\(SimDuration(nanoseconds: task.interval))",
      traces: loaded.traces.map { ($0.path, ContentHash(of: $0.bytes)) }, eventCount: result.eventCount,
      packetHops: result.packetHops, cost: nil, simulatedSeconds: loaded.plan.duration.seconds,
      tables: TableRecord.all(
        rowCounts: result.rowCounts, hashes: sink.directory.hashes, isCompressed: task.compressesSeries))
    try sink.directory.add(file: "manifest.json", content: manifest.description)
    try sink.directory.add(
      file: "datapackage.json",
      content: ResultDescription.dataPackage(name: loaded.plan.name, isCompressed: task.compressesSeries)
        .description)
    try sink.directory.finish()
    return sink.kept.allRows
  }
}

/// The current point's scenario, read once for all repetitions.
private struct PointScenario {
  private var last: (source: PointSource, scenario: LoadedScenario)?

  /// Returns a point's scenario.
  ///
  /// - Throws: ``ScenarioError`` if a trace file is no longer valid.
  mutating func read(_ source: PointSource) throws(ScenarioError) -> LoadedScenario {
    if let last, last.source == source { return last.scenario }
    let scenario = try ScenarioReader.read(
      bytes: Array(source.scenario.utf8), file: source.file, directory: source.directory)
    last = (source, scenario)
    return scenario
  }
}

/// A sink that keeps the rows of `scalars.csv` selected by the sweep, and measures the values that its expectations
/// need.
private struct KeptRows: TableSink {
  private let task: WorkerTask
  private var measurements: IntervalMeasurements
  private var pending: [UInt8] = []
  /// Column indices of scope, viewer and metric; `nil` before the header.
  private var positions: [Int]?
  private var rows: [UInt8] = []

  init(_ task: WorkerTask) {
    self.task = task
    measurements = IntervalMeasurements(task.expectations, interval: task.interval / 1_000_000)
  }

  /// All rows of a finished run.
  var allRows: [UInt8] { rows + measurements.rows(runID: task.runID).bytes }

  mutating func write(_ bytes: [UInt8], to table: ResultTable) throws(ResultError) {
    guard table == .scalars else { return measurements.add(bytes, to: table) }
    pending += bytes
    var begin = 0
    while let end = pending[begin...].firstIndex(of: 0x0a) {
      if let positions {
        if keeps(pending[begin..<end], positions) { rows += pending[begin...end] }
      } else {
        positions = Self.positions(in: pending[begin..<end])
      }
      begin = end + 1
    }
    pending.removeFirst(begin)
  }

  private static func positions(in header: ArraySlice<UInt8>) -> [Int] {
    let names = header.split(separator: 0x2c, omittingEmptySubsequences: false)
    return ["scope", "viewer", "metric"].compactMap { name in
      names.firstIndex { name.utf8.elementsEqual($0) }
    }
  }

  private func keeps(_ row: ArraySlice<UInt8>, _ positions: [Int]) -> Bool {
    let kept = [task.scopes, task.viewers, task.metrics]
    if kept.allSatisfy(\.isEmpty) { return true }
    let fields = row.split(separator: 0x2c, omittingEmptySubsequences: false)
    return zip(kept, positions).allSatisfy { names, position in
      position < fields.count && holds(names, fields[position])
    }
  }

  private func holds(_ names: [String], _ name: ArraySlice<UInt8>) -> Bool {
    names.isEmpty || names.contains { $0.utf8.elementsEqual(name) }
  }
}

/// A sink that only hashes the tables.
private struct HashSink: TableSink {
  private(set) var hash = ContentHash()

  mutating func write(_ bytes: [UInt8], to table: ResultTable) throws(ResultError) { hash.update(bytes) }
}

/// A sink that keeps the selected scalars and writes every table.
private struct SeriesSink: TableSink, ~Copyable {
  var kept: KeptRows
  var directory: ResultDirectory

  mutating func write(_ bytes: [UInt8], to table: ResultTable) throws(ResultError) {
    try kept.write(bytes, to: table)
    try directory.write(bytes, to: table)
  }
}
