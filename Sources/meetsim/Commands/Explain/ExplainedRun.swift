import Allocation
import ArgumentParser
import Files
import Meeting
import Metrics
import Plan
import Quantity
import ResultReading
import Scenario
import Sweep

/// A repeatable run: its plan, seed and repetition, and the directory of its tables, if any.
struct ExplainedRun {
  let name: String
  let loaded: LoadedScenario
  let seed: UInt64
  let repetition: Int
  /// Interval of the tables.
  let interval: SimDuration
  /// Directory of the run's interval tables; `nil` for a run of a sweep, which has none.
  let tables: String?

  var plan: MeetingPlan { loaded.plan }

  /// Loads the run of a directory; prints errors and exits with 2 if it cannot be repeated.
  ///
  /// - Parameter run: run id from a sweep's `runs.csv`; `nil` for the directory of a single run.
  static func load(_ directory: String, run: String?) throws -> ExplainedRun {
    do {
      if let run { return try ofSweep(directory, run: run) }
      let results = try Results.read(directory)
      guard results.kind == .run else {
        let first = results.runs.first?.runID ?? "RUN"
        throw ValidationError(
          "'\(directory)' has several runs: choose one of its runs.csv, such as --run \(first)")
      }
      try WrittenTables.check(in: results.directory)
      for table in ["streams.csv", "decisions.csv"]
      where !Directory.exists(StoredTable.path(of: "\(results.directory)/\(table)")) {
        throw ResultReadingError(
          results.directory,
          "it has no \(table), which explain needs: run again without --tables, or with --tables streams,decisions"
        )
      }
      return try ofRun(directory)
    } catch let error as ResultReadingError {
      Terminal.error("\(error)")
    } catch let error as ScenarioError {
      for diagnostic in error.diagnostics { Terminal.error("\(diagnostic)") }
    }
    throw ExitCode(2)
  }

  private static func ofRun(_ directory: String) throws -> ExplainedRun {
    let manifest = try RunManifest.read(in: directory)
    let loaded = try scenario(
      manifest.resolvedScenario, file: manifest.scenarioFile,
      traces: manifest.traces.map { ($0.path, $0.hash) }, of: directory)
    return ExplainedRun(
      name: directory, loaded: loaded, seed: UInt64(manifest.seed) ?? loaded.plan.seed,
      repetition: manifest.repetition,
      interval: (try? SimDuration(text: manifest.interval)) ?? .seconds(1), tables: directory)
  }

  /// Rereads a scenario, provided that its traces are unchanged.
  private static func scenario(
    _ text: String, file: String, traces: [(path: String, hash: String)], of directory: String
  ) throws -> LoadedScenario {
    let loaded = try ScenarioReader.read(
      bytes: Array(text.utf8), file: file, directory: Loading.directory(of: file))
    let hashes = Dictionary(traces.map { ($0.path, $0.hash) }) { first, _ in first }
    for trace in loaded.traces {
      guard let hash = hashes[trace.path], hash != ContentHash(of: trace.bytes).text else { continue }
      throw ResultReadingError(
        trace.path, "it has changed since '\(directory)' was made: put it back, or make the results anew")
    }
    return loaded
  }

  /// Plans the sweep again from its file; for `run --repetitions`, reads the scenario kept in the directory.
  private static func ofSweep(_ directory: String, run id: String) throws -> ExplainedRun {
    let sweep: SweepPlan
    do {
      sweep = try SweepDirectory.read(directory)
    } catch {
      throw ResultReadingError(directory, "--run is for the directory of a sweep: \(error)")
    }
    let file = sweep.settings.file
    let interval = SimDuration(nanoseconds: sweep.settings.intervalNanoseconds)
    let traces = sweep.settings.traces.map { ($0.path, $0.hash) }
    if sweep.settings.command == "run" {
      guard let run = sweep.runs.first(where: { $0.id == id }) else {
        throw ResultReadingError(directory, "there is no run '\(id)'")
      }
      let loaded = try scenario(sweep.settings.scenario, file: file, traces: traces, of: directory)
      return ExplainedRun(
        name: "\(directory), run \(id)", loaded: loaded, seed: run.seed, repetition: run.repetition,
        interval: interval, tables: nil)
    }
    let (present, planned) = try SweepLoading.plan(file, filter: nil, isQuiet: true)
    guard let run = planned.plan.runs.first(where: { $0.id == id }) else {
      guard sweep.runs.contains(where: { $0.id == id }) else {
        throw ResultReadingError(directory, "there is no run '\(id)'")
      }
      throw ResultReadingError(
        directory, "run '\(id)' cannot be repeated: \(change(of: sweep.settings, to: present))")
    }
    guard let source = planned.sources[run.pointID] else {
      throw ResultReadingError(directory, "the scenario of run '\(id)' is invalid")
    }
    let loaded = try scenario(source.scenario, file: source.file, traces: traces, of: directory)
    return ExplainedRun(
      name: "\(directory), run \(id)", loaded: loaded, seed: run.seed, repetition: run.repetition,
      interval: interval, tables: nil)
  }

  /// Returns what differs from the files that a sweep was made of.
  private static func change(of settings: SweepSettings, to file: SweepFile) -> String {
    let files =
      (file.text == settings.sweep ? [] : [file.path])
      + (file.scenario.text == settings.scenario || file.scenario.file == file.path
        ? [] : [file.scenario.file])
    guard !files.isEmpty else {
      return settings.version == Meetsim.version
        ? "a file that the scenario reads has changed since the sweep ran, or meetsim has"
        : "the sweep ran with meetsim \(settings.version), and this is \(Meetsim.version)"
    }
    let names = files.map { "'\($0)'" }.joined(separator: " and ")
    return
      "\(names) \(files.count == 1 ? "has" : "have") changed since the sweep ran: run it anew"
  }

  /// Returns the tiles that lack most, by the run's table of streams, or where a sweep keeps none, by that of a repetition
  /// of the run in a temporary directory.
  func worstTiles(viewer: String?, source: String?, count: Int, by measure: TileShortfall.Measure) throws
    -> [TileShortfall]
  {
    func worst(in directory: String) throws -> [TileShortfall] {
      try TileShortfall.worst(
        in: directory, viewer: viewer, source: source, interval: interval.seconds, count: count, by: measure)
    }
    if let tables { return try worst(in: tables) }
    return try repeated(as: "run", tables: [.streams], showsProgress: true, worst)
  }

  /// Repeats the run in a temporary directory, which is removed after its use.
  ///
  /// - Parameters:
  ///   - name: name of the directory of results.
  ///   - tables: tables to write.
  ///   - body: use of the directory, given its path.
  /// - Throws: ``Metrics/ResultError`` if the results cannot be written; `ExitCode` after an interruption.
  func repeated<Value>(
    as name: String, tables: [ResultTable] = ResultTable.allCases, showsProgress: Bool,
    _ body: (String) throws -> Value
  ) throws -> Value {
    let parent = try RepeatedRun.temporaryDirectory()
    defer { Directory.remove(parent) }
    let run = ScenarioRun(
      loaded: loaded, seed: seed, repetition: repetition, interval: interval, tables: tables,
      showsProgress: showsProgress)
    let place = "\(parent)/\(name)"
    let outcome = try run.execute(output: place, force: false).result.outcome
    guard outcome == .finished else { throw Interruption.exitCode(after: Interruption.received ?? 2) }
    return try body(place)
  }

  var replay: MeetingReplay {
    let jobs = min(SweepLoading.processors, MachineMemory.fitting(plan.memoryNeed))
    return MeetingReplay(plan, seed: seed, jobs: jobs)
  }

  /// Returns the number of a participant; exits with 2 for an unknown id.
  func participant(_ id: String, option: String = "--viewer") throws -> Int {
    try ViewerOption.number(of: id, in: plan, option: option)
  }

  /// Returns the number of a source; exits with 2 for an unknown name.
  func source(_ name: String) throws -> Int {
    let names = plan.namedSources.map(\.name)
    if let number = names.firstIndex(of: name) { return number }
    throw ValidationError(
      "--source: there is no source '\(name)': \(Suggestion.text(for: name, among: names))")
  }

  /// Replays the last decision on a tile up to a moment; exits with 2 if there is none or if the written tables differ.
  ///
  /// - Parameter repetitions: number of repetitions; 0 to try no changes on a tile that is not subscribed to.
  func decision(
    viewer: String, source: String, at moment: SimTime, repetitions: Int
  ) throws -> ReplayedDecision {
    let tile = TilePlace(viewer: try participant(viewer), source: try self.source(source))
    let decision = replay.decision(on: tile, repetition: repetition, interval: interval, at: moment)
    guard let decision else {
      let reason =
        plan.absence(of: [viewer, source], at: moment)
        ?? UnseenTile(self, tile, at: moment, tries: repetitions > 0).text
      Terminal.failure(
        "error: at \(moment.seconds) s '\(viewer)' does not subscribe to '\(source)': \(reason)")
      throw ExitCode(2)
    }
    guard let tables else { return decision }
    do {
      let rows = try DecisionRecord.rows(
        in: tables, viewer: viewer, source: source, at: decision.at.seconds, lastUpTo: moment.seconds)
      let text = decision.row.budget.total.rate.map { "\($0.bitsPerSecond)" } ?? ""
      guard rows.contains(where: { $0.budget == text && $0.given == decision.row.given }) else {
        Terminal.error(
          "error: repeated, the run of '\(tables)' decides otherwise: the tables were changed, or made by another version or build of meetsim; run it anew"
        )
        throw ExitCode(2)
      }
    } catch let error as ResultReadingError {
      Terminal.error("\(error)")
      throw ExitCode(2)
    }
    return decision
  }
}

extension MeetingPlan {
  /// Returns a sentence on which of a viewer and a source is absent at a moment; `nil` if both are present.
  fileprivate func absence(of names: [String], at moment: SimTime) -> String? {
    for name in names {
      let id = String(name.prefix { $0 != "/" })
      guard let number = participants.firstIndex(where: { $0.id == id }) else { continue }
      let joined = participants[number].joinsAt
      if joined > moment { return "'\(id)' joins at \(joined.seconds) s" }
      var (left, isOn): (SimTime?, Bool) = (nil, participants[number].screen?.startsOn ?? false)
      for entry in timeline where entry.participant == number && entry.at <= moment {
        switch entry.action {
        case .leave: left = entry.at
        case .join: left = nil
        case .shareScreen(let turnsOn): isOn = turnsOn
        default: break
        }
      }
      if let left { return "'\(id)' left at \(left.seconds) s" }
      if name != id, !isOn { return "'\(id)' does not share its screen" }
    }
    return nil
  }
}
