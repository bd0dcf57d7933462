import ArgumentParser
import Expectations
import Meeting
import Plan
import Quantity
import Scenario
import Sweep

/// Checks scenario and sweep files.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Checks scenario and sweep files without running them.",
    discussion: """
      Prints every problem as 'file:line:column: error: text', on a terminal in several lines where it is long, and exits \
      with 2 if there are any; advice is printed as 'file:line:column: warning: text', beside errors only where they \
      cannot make it wrong, and 'note' states that the scenario names estimators that its system is not deployed with. A sweep is valid when all of its points are. The memory is an estimate of \
      what a run will need at its peak, right within a factor of two. '--set' checks a scenario as 'run' with the same \
      settings would read it, such as under another policy.

      EXAMPLES
        meetsim validate scenarios/*.yaml scenarios/sweeps/*.yaml
        meetsim validate scenarios/webinar.yaml --set policy=livekit
      """)

  @Argument(help: "The files to check.", completion: .file(extensions: ["yaml", "yml"]))
  var files: [String]

  @Option(
    name: .customLong("set"), help: "Overrides a value of the scenarios: PATH=VALUE, such as 'policy=jitsi'.")
  var overrides: [String] = []

  @Flag(name: .shortAndLong, help: "Prints nothing but errors.")
  var quiet = false

  func run() throws {
    var isBroken = false
    for file in files {
      do {
        // Read only once, as the file may be a pipe.
        let source = try ScenarioSource(path: file)
        if SweepReader.isSweep(source) {
          if !isValid(sweep: source) { isBroken = true }
        } else {
          try check(scenario: source)
        }
      } catch {
        isBroken = true
        for diagnostic in error.diagnostics + (quiet ? [] : error.warnings) {
          Terminal.error("\(diagnostic)")
        }
      }
    }
    if isBroken { throw ExitCode(2) }
  }

  private func isValid(sweep source: ScenarioSource) -> Bool {
    guard overrides.isEmpty else {
      Terminal.error(
        "\(source.file):1:1: error: --set overrides values of scenarios, and this is a sweep: write them under its "
          + "'set'")
      return false
    }
    guard let (sweep, planned) = try? SweepLoading.plan(source, filter: nil, isQuiet: quiet) else {
      return false
    }
    let plan = planned.plan
    if let problem = problem(of: plan) {
      let position = planned.problems.first?.position ?? sweep.designPosition
      Terminal.error("\(position): error: \(problem)")
      return false
    }
    if !quiet {
      Terminal.line("\(source.file): ok, a sweep of \(plan.runs.count) runs at \(plan.points.count) points")
    }
    return true
  }

  private func check(scenario source: ScenarioSource) throws(ScenarioError) {
    let scenario = try source.load(settings: overrides.map { Override($0) }, for: .validation)
    guard !quiet else { return }
    for warning in scenario.warnings + scenario.notes { Terminal.error("\(warning)") }
    let publishers = scenario.plan.participants.filter(\.publishesVideo).count
    let hasPeers = scenario.plan.connectionCount > scenario.plan.participants.count
    let mode = hasPeers ? "peer to peer while two are alone, " : ""
    Terminal.line(
      "\(source.file): ok, \(scenario.plan.participants.count) participants, \(publishers) publish video, "
        + "\(scenario.plan.duration), \(mode)\(MachineMemory.text(scenario.plan.memoryNeed)) of memory")
  }

  /// Describes the invalid points of a sweep that also has valid ones.
  private func problem(of plan: SweepPlan) -> String? {
    let bad = plan.points.map { plan.runs[$0.lowerBound] }.filter { !$0.problem.isEmpty }
    guard let first = bad.first else { return nil }
    let values = zip(plan.settings.columns, first.parameters).map { (name: String($0.title), value: $1) }
    return
      "the scenario is invalid at \(bad.count) of \(plan.points.count) points of the sweep; the first, with "
      + "\(PointText.point(named: values)): \(first.problem)"
  }
}
