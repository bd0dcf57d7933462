import Allocation
import ArgumentParser
import CongestionControl
import Expectations
import Meeting
import Metrics
import Quantity
import ResultReading
import Scenario
import Systems

/// Runs one meeting.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs one meeting, writes a result directory and prints who received what.",
    discussion: """
      EXAMPLES
        meetsim run scenarios/remote-education.yaml -o out
        meetsim run scenarios/one-to-one.yaml --set links.home.capacity="600 kbps" -o out-600
        meetsim run scenarios/one-to-one.yaml --seed 7 --interval 500ms --check -o out
      """)

  @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml", "yml"]))
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
    name: .customLong("set"), help: "Overrides a value of the scenario: PATH=VALUE, such as 'duration=10s'.")
  var overrides: [String] = []

  @Option(help: "Sampling interval of the tables, such as '1s'.")
  var interval: String = "1s"

  @Flag(help: "Evaluates the scenario's expectations; exits with 1 when one fails.")
  var check = false

  @Flag(help: "Replaces an existing result directory.")
  var force = false

  @Flag(name: .shortAndLong, help: "Prints nothing but errors.")
  var quiet = false

  func validate() throws {
    try SeedOption.check(seed)
    try Output.checkName(output)
    if !(0...1_000_000).contains(repetition) {
      throw ValidationError("--repetition '\(repetition)' is out of range: from 0 to 1000000")
    }
  }

  func run() throws {
    Interruption.watch()
    let interval = try intervalLength()
    let loaded = try Loading.scenario(scenario, overrides: overrides)
    if !quiet { for warning in loaded.warnings { Terminal.error("\(warning)") } }
    try refuseWithoutMemory(loaded.plan.memoryNeed)
    let run = ScenarioRun(
      loaded: loaded, seed: seed ?? loaded.plan.seed, repetition: repetition, interval: interval,
      showsProgress: !quiet)
    let result: MeetingRun.Result
    let scalars: [UInt8]
    do {
      (result, scalars) = try run.execute(output: output, force: force)
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
    if check { try evaluate(scalars, loaded) }
  }

  /// Exits with 2 if the machine lacks the memory that the meeting needs.
  private func refuseWithoutMemory(_ need: ByteCount) throws {
    guard let available = MachineMemory.available, need > available else { return }
    Terminal.error(
      "\(scenario): error: the meeting needs about \(MachineMemory.text(need)) of memory, and "
        + "\(MachineMemory.text(available)) are available: fewer participants, sources or tiles take less")
    throw ExitCode(2)
  }

  private func intervalLength() throws -> SimDuration {
    do {
      let length = try SimDuration(text: interval)
      guard length >= .milliseconds(10), length <= .seconds(3600) else {
        throw ValidationError("--interval '\(interval)' is out of range: from 10 ms to 1 h")
      }
      return length
    } catch let error as QuantityError {
      throw ValidationError("--interval: \(error)")
    }
  }

  private func print(_ result: MeetingRun.Result, _ run: ScenarioRun) {
    let plan = run.loaded.plan
    Terminal.result("\n", heading: "\(plan.name): \(plan.title)")
    Terminal.result(
      "policy \(plan.system.name), estimator \(plan.estimatorName), seed \(run.seed), \(plan.duration)\n\n")
    Terminal.result(SummaryTable(tiles: result.tiles).text)
    guard let output else { return }
    Terminal.result("\n")
    Terminal.line("results in \(output)")
  }

  /// Evaluates expectations as `meetsim check` does.
  private func evaluate(_ scalars: [UInt8], _ loaded: LoadedScenario) throws {
    let results: Results
    do {
      results = Results(run: try ScalarTable.read(bytes: scalars))
    } catch {
      Terminal.error("\(error)")
      throw ExitCode(3)
    }
    let report = ExpectationReport(
      ExpectedDirectory(
        name: loaded.plan.name, version: Meetsim.version, file: loaded.file, seed: "",
        expectations: loaded.plan.expectations, level: 0.95, results: results))
    for one in report.cases where one.judgement.verdict == .fail {
      Terminal.error(
        "\(scenario):\(one.expectation.line):\(one.expectation.column ?? 1): error: expectation failed: "
          + one.sentence)
    }
    if !quiet {
      Terminal.result("\(report.count(of: .pass)) of \(report.cases.count) expectations hold\n")
    }
    if report.count(of: .fail) > 0 { throw ExitCode(1) }
  }
}
