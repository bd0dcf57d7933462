import Allocation
import ArgumentParser
import CongestionControl
import Expectations
import Files
import JSON
import Meeting
import Metrics
import Plan
import Quantity
import ResultReading
import Scenario
import Systems
import TextLayout

/// Runs one meeting.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs one meeting, writes a result directory and prints who received what.",
    discussion: """
      The summary has a line for each viewer and for each tile, the worst first: the share shown of the tiles' pixels \
      ('of screen': at 24 frames per second, while on the screen and not muted), and of those that the system asked for \
      where that differs; freezes; and the limitation behind most of the missing pixels ('meetsim list limitations'; \
      'delivery' where frames were lost, late or not sent). Lines that differ in names only are one. The width \
      is that of the terminal (COLUMNS; 100 in a pipe). Less than 50 % of the pixels is red; less than 90 %, or \
      a freeze, is yellow (not with NO_COLOR).

      EXAMPLES
        meetsim run scenarios/remote-education.yaml -o out
        meetsim run scenarios/one-to-one.yaml -o out-600 \\
          --set links.home.capacity="600 kbps"
        meetsim run scenarios/one-to-one.yaml --seed 7 --interval 500ms \\
          --check -o out
        meetsim run scenarios/one-to-one.yaml --report report.html
        meetsim run scenarios/one-to-one.yaml --repetitions 10 -o out-10
        sed s/720p30/360p30/ scenarios/one-to-one.yaml | meetsim run -
        meetsim run scenarios/full-house.yaml --viewer person-7
        meetsim run scenarios/full-house.yaml --set duration="5 min" \\
          --compress -o out-long
        meetsim run scenarios/webinar.yaml --by viewer --format csv > viewers.csv
      """)

  @Argument(
    help: "The scenario file; '-' reads standard input.", completion: .file(extensions: ["yaml", "yml"]))
  var scenario: String

  @Option(
    name: [.customShort("o"), .long],
    help: "Directory for the results; without it, only the summary is printed.")
  var output: String?

  @Option(help: "Seed; overrides the scenario's.")
  var seed: UInt64?

  @Option(help: "Repetition number, from 0: each draws different random numbers from the same seed.")
  var repetition = 0

  @Option(
    help: """
      Runs this many repetitions on all processors and prints means with their confidence intervals; the result \
      directory is that of a sweep with one point.
      """)
  var repetitions: Int?

  @Option(
    name: .customLong("set"), help: "Overrides a value of the scenario: PATH=VALUE, such as 'duration=10s'.")
  var overrides: [String] = []

  @Option(
    help:
      "Sampling interval of the tables, such as '1s', and of what is judged by intervals: utility and its gaps, switches, freezes that last."
  )
  var interval: String = "1s"

  @Option(help: ArgumentHelp("Summarizes the tiles of this viewer alone.", valueName: "id"))
  var viewer: String?

  @Option(
    help: "Rows of the summary; by default viewers and tiles in a table, and tiles in the other formats.")
  var by: RunSummary.Grouping?

  @Flag(help: "Prints every row of the summary, not only the worst.")
  var all = false

  @Option(help: "Format of the summary: 'csv' and 'json' have every row.")
  var format = SummaryFormat.table

  @Option(
    help: ArgumentHelp(
      "Tables to write, separated by commas, beside scalars.csv; by default all.", valueName: "name,…"))
  var tables: String?

  @Flag(help: "Compresses the tables but scalars.csv with gzip: 'streams.csv.gz'; every command reads both.")
  var compress = false

  @Option(help: ArgumentHelp("Also writes a page that replays the run, for a browser.", valueName: "file"))
  var report: String?

  @Flag(help: "Evaluates the scenario's expectations; exits with 1 when one fails.")
  var check = false

  @Flag(help: "Replaces an existing result directory of the same kind: a run's, or one with --repetitions.")
  var force = false

  @Flag(name: .shortAndLong, help: "Prints nothing but errors.")
  var quiet = false

  func validate() throws {
    try SeedOption.check(seed)
    try Output.checkName(output)
    try ReportFile.checkName(report, option: "--report")
    if !(0...1_000_000).contains(repetition) {
      throw ValidationError("--repetition '\(repetition)' is out of range: from 0 to 1000000")
    }
    if let repetitions, !(2...10_000).contains(repetitions) {
      throw ValidationError("--repetitions '\(repetitions)' is out of range: from 2 to 10000")
    }
    if repetitions != nil, repetition != 0 || tables != nil || compress || by == .source {
      throw ValidationError("--repetitions goes without --repetition, --tables, --compress and --by source")
    }
    if compress, output == nil { throw ValidationError("--compress needs -o, a directory for the tables") }
    _ = try chosenTables()
  }

  func run() throws {
    Interruption.watch()
    let interval = try intervalLength()
    let loaded = try Loading.scenario(scenario, overrides: overrides)
    if !quiet { for warning in loaded.warnings + loaded.notes { Terminal.error("\(warning)") } }
    try checkViewer(loaded.plan)
    try MachineMemory.check(loaded.plan.memoryNeed, of: "the meeting", at: "\(scenario):1:1")
    // A page is made from tables, which need a place even if they are not kept.
    let temporary = try report != nil && output == nil ? RepeatedRun.temporaryDirectory() : nil
    defer { if let temporary { Directory.remove(temporary) } }
    let place = output ?? temporary.map { $0 + "/out" }
    if let repetitions { return try repeatRun(loaded, repetitions, interval, in: place) }
    let run = ScenarioRun(
      loaded: loaded, seed: seed ?? loaded.plan.seed, repetition: repetition, interval: interval,
      tables: try chosenTables(), compresses: compress, showsProgress: !quiet)
    let result: MeetingRun.Result
    let scalars: [UInt8]
    do {
      (result, scalars) = try run.execute(output: place, force: force)
    } catch {
      Terminal.error("error: \(error)")
      throw ExitCode(error.isUsage ? 2 : 3)
    }
    if case .interrupted(let at) = result.outcome {
      let number = Interruption.received ?? 2
      Terminal.error(
        "\(Interruption.name(of: number)) at \(Double(at.nanoseconds / 1_000_000) / 1000) s of simulated time: "
          + "the meeting did not finish, and no results were written")
      throw Interruption.exitCode(after: number)
    }
    if !quiet { print(result, run) }
    try writeReport(of: place)
    if check { try evaluate(scalars, loaded) }
  }

  private func writeReport(of directory: String?) throws {
    guard let report, let directory else { return }
    try ReportFile.write([directory], to: report)
    if !quiet { tell("\(report): open it in a browser") }
  }

  /// Returns the tables to write, in their usual order.
  private func chosenTables() throws -> [ResultTable] {
    guard let tables else { return ResultTable.allCases }
    let known = ResultTable.allCases.map(\.name)
    let names = tables.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    for name in names where !known.contains(name) {
      throw ValidationError("--tables '\(name)': \(Suggestion.text(for: name, among: known))")
    }
    return ResultTable.allCases.filter { $0 == .scalars || names.contains($0.name) }
  }

  private func repeatRun(
    _ loaded: LoadedScenario, _ repetitions: Int, _ interval: SimDuration, in place: String?
  ) throws {
    let run = RepeatedRun(
      loaded: loaded, seed: seed ?? loaded.plan.seed, repetitions: repetitions, interval: interval,
      isQuiet: quiet)
    let outcome = try run.execute(output: place, force: force)
    if !quiet {
      let table = RepetitionTable(
        outcome.results, by: by ?? (format == .table ? .viewer : .tile), viewer: viewer)
      switch format {
      case .table:
        printHeading(loaded.plan, seed: run.seed, "\(repetitions) repetitions")
        Terminal.lines(table.lines(showsAll: all, width: Terminal.width))
      case .csv: Terminal.data(table.csv)
      case .json: Terminal.data(table.json.description)
      }
      reportOutput()
    }
    try writeReport(of: place)
    if !outcome.isComplete { throw ExitCode(3) }
    if check { try judge(ExpectationReport(outcome.expected)) }
  }

  private func intervalLength() throws -> SimDuration {
    do {
      let length = try SimDuration(text: interval)
      guard length >= .milliseconds(10), length <= .seconds(3600) else {
        throw ValidationError("--interval '\(interval)' is out of range: from 10 ms to 1 h")
      }
      // Times in the tables have three decimals.
      guard length.isWholeMilliseconds else {
        throw ValidationError("--interval '\(interval)' is not a whole number of milliseconds")
      }
      return length
    } catch let error as QuantityError {
      throw ValidationError("--interval: \(error)")
    }
  }

  /// Exits with 2 if the participant to summarize does not exist.
  private func checkViewer(_ plan: MeetingPlan) throws {
    let known = plan.participants.map(\.id)
    guard let viewer, !known.contains(viewer) else { return }
    Terminal.error(
      "error: --viewer '\(viewer)': there is no such participant: \(Suggestion.text(for: viewer, among: known))"
    )
    throw ExitCode(2)
  }

  private func print(_ result: MeetingRun.Result, _ run: ScenarioRun) {
    let plan = run.loaded.plan
    let summary = RunSummary(result, duration: plan.duration, viewer: viewer)
    switch format {
    case .table:
      printHeading(plan, seed: run.seed, "\(plan.duration)")
      Terminal.lines(SummaryTable(summary, by: by, showsAll: all, width: Terminal.width).lines)
    case .csv: Terminal.data(SummaryRecords(summary, by: by ?? .tile).csv)
    case .json: Terminal.data(SummaryRecords(summary, by: by ?? .tile).json.description)
    }
    reportOutput()
  }

  private func printHeading(_ plan: MeetingPlan, seed: UInt64, _ extent: String) {
    let heading = plan.title.isEmpty ? plan.name : "\(plan.name): \(plan.title)"
    Terminal.lines(heading.wrapped(to: Terminal.width).map { Terminal.Line($0, .strong) })
    let other = plan.hasOwnEstimators ? "" : " (not \(plan.system.name)'s own)"
    Terminal.result(
      "policy \(plan.system.name), estimator \(plan.estimatorName)\(other), seed \(seed), \(extent)\n\n")
  }

  private func reportOutput() {
    guard let output else { return }
    if format == .table { Terminal.result("\n") }
    tell("results in \(output)")
  }

  /// Prints a line beside the summary; on standard error if the summary is for programs.
  private func tell(_ text: String) {
    if format == .table { Terminal.line(text) } else { Terminal.error(text) }
  }

  /// Evaluates expectations like `meetsim check`.
  private func evaluate(_ scalars: [UInt8], _ loaded: LoadedScenario) throws {
    let results: Results
    do {
      results = Results(run: try ScalarTable.read(bytes: scalars))
    } catch {
      Terminal.error("\(error)")
      throw ExitCode(3)
    }
    try judge(
      ExpectationReport(
        ExpectedDirectory(
          name: loaded.plan.name, version: Meetsim.version, file: loaded.file, seed: "",
          expectations: loaded.plan.expectations, level: 0.95, results: results)))
  }

  private func judge(_ report: ExpectationReport) throws {
    for one in report.cases where one.judgement.verdict == .fail {
      Terminal.error(
        "\(report.directory.file):\(one.expectation.line):\(one.expectation.column ?? 1): error: expectation failed: "
          + one.sentence)
    }
    if !quiet {
      tell("\(report.count(of: .pass)) of \(report.cases.count) expectations hold")
    }
    if report.count(of: .fail) > 0 { throw ExitCode(1) }
  }
}

/// Format of a summary.
enum SummaryFormat: String, CaseIterable, ExpressibleByArgument { case table, json, csv }

extension RunSummary.Grouping: ExpressibleByArgument {}
