import ArgumentParser
import Decision
import Files
import Meeting
import Plan
import Quantity
import Scenario
import Systems

/// Prints what a policy grants one viewer from each source at each budget, without simulating packets.
struct AllocateCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case csv, table }

  static let configuration = CommandConfiguration(
    commandName: "allocate",
    abstract: "Prints what a policy would give each source of one viewer at each budget, without packets.",
    usage: "meetsim allocate <scenario> --viewer <id> --budget <range> [<options>]",
    discussion: """
      The budget is what the downlink carries of video. The code that decides is that of a run; everything that the \
      viewer's client debounces has taken effect, and all layers of the sources' ladders arrive, or those listed under \
      'layers' with the bit rates that they have there. A scenario for this needs neither links nor a timeline.

      --previous is a CSV with the columns source,encoding,temporal (empty for nothing), and where a system has clocks \
      current_encoding,since_s,downgraded_s: the encoding that is forwarded while another is waited for, for how long \
      it has arrived, and the time since bandwidth made the server take a lower one; without them all clocks have run \
      out. A livekit server is deficient, with the budget committed, for all tracks at once.

      EXAMPLES
        meetsim allocate stage.yaml --viewer v --budget 0bps..5Mbps/10kbps \\
          -o stage.csv
        meetsim allocate stage.yaml --viewer v --budget 0bps..5Mbps --changes \\
          --format table
        meetsim allocate stage.yaml --viewer v --budget 800kbps \\
          --policy mediasoup --previous before.csv
      """)

  @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml", "yml"]))
  var scenario: String

  @Option(help: "Id of the viewing participant.")
  var viewer: String

  @Option(help: "FROM..TO/STEP such as '0bps..5Mbps/10kbps', or one budget.")
  var budget: String

  @Option(help: "Policy in place of the scenario's.")
  var policy: String?

  @Option(help: "Moment of the timeline from which wishes and state are taken.")
  var at: String = "0s"

  @Option(help: "CSV of what was forwarded before.")
  var previous: String?

  @Flag(help: "Only the budgets at which something changes, exact to the bit per second, whatever the step.")
  var changes = false

  @Option(help: "csv, or table: the changes as a Markdown table for people.")
  var format: Format = .csv

  @Option(
    name: .customLong("set"), help: "Overrides a value of the scenario: PATH=VALUE, such as 'duration=10s'.")
  var overrides: [String] = []

  @Option(name: [.customShort("o"), .long], help: "File for the table; without it, standard output.")
  var output: String?

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    try Output.checkName(output)
    if let problem = BudgetRange.problem(of: budget) {
      throw ValidationError("--budget '\(budget)': \(problem), such as '0bps..5Mbps/10kbps'")
    }
    // With `--changes`, and in Markdown, only changes are listed, so the step does not matter.
    if !changes, format == .csv, let range = BudgetRange(argument: budget), range.isTooFine {
      throw ValidationError(
        "--budget '\(budget)': more than \(BudgetRange.limit) budgets: choose a larger step, or '--changes'")
    }
  }

  func run() throws {
    let input = scenario == Loading.standardInput ? "/dev/stdin" : scenario
    try Output.checkApart(output, from: [input] + (previous.map { [$0] } ?? []))
    let settings = overrides + (policy.map { ["policy=\($0)"] } ?? [])
    let loaded = try Loading.scenario(scenario, overrides: settings, for: .decision)
    for warning in loaded.warnings { Terminal.warning("\(warning)") }
    let decision = try decision(loaded.plan, at: try ViewerOption.moment(at, in: loaded.plan))
    guard let range = BudgetRange(argument: budget) else { throw ExitCode(2) }
    let table = AllocationTable(decision, viewer: viewer, range: range)
    let text =
      switch format {
      case .csv: table.csv(onlyChanges: changes)
      case .table: table.markdown(width: Terminal.listWidth)
      }
    if let output { try Output.write(text, to: output) } else { Terminal.data(text) }
  }

  private func decision(_ plan: MeetingPlan, at moment: SimTime) throws -> StandaloneAllocation {
    let number = try ViewerOption.number(of: viewer, in: plan)
    guard let plain = StandaloneAllocation(plan, viewer: number, at: moment) else {
      throw ValidationError("--viewer: '\(viewer)' has no view: add 'view' to it in the scenario")
    }
    guard let previous else { return plain }
    let layers = try previousLayers(previous, of: plain)
    return StandaloneAllocation(plan, viewer: number, at: moment, previous: layers) ?? plain
  }

  private func previousLayers(_ path: String, of decision: StandaloneAllocation) throws -> [PreviousLayer] {
    do {
      let bytes = try FileReader.bytes(of: path, limit: FileReader.traceLimit)
      return try PreviousLayersReader.layers(of: bytes, known: decision.sources)
    } catch let problem as PreviousLayersReader.Problem {
      Terminal.error("\(path):\(problem.line):\(problem.column): error: \(problem)")
    } catch {
      Terminal.error("\(path):1:1: error: \(error)")
    }
    throw ExitCode(2)
  }
}
