import ArgumentParser
import Meeting
import Quantity
import Scenario
import Sweep

/// Checks scenario and sweep files.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Checks scenario and sweep files without running them.",
    discussion: """
      Prints every problem as 'file:line:column: error: text' and ends with 2 when there is one.

      EXAMPLE
        meetsim validate scenarios/*.yaml
      """)

  @Argument(help: "The files to check.", completion: .file(extensions: ["yaml", "yml"]))
  var files: [String]

  @Flag(name: .shortAndLong, help: "Prints nothing but errors.")
  var quiet = false

  func run() throws {
    var isBroken = false
    for file in files {
      if SweepReader.isSweep(path: file) {
        guard let plan = try? SweepLoading.plan(file, filter: nil).plan else {
          isBroken = true
          continue
        }
        if !quiet {
          Terminal.result("\(file): ok, a sweep of \(plan.runs.count) runs at \(plan.points.count) points\n")
        }
        continue
      }
      do {
        let scenario = try ScenarioReader.read(path: file)
        guard !quiet else { continue }
        let publishers = scenario.plan.participants.filter(\.publishesVideo).count
        Terminal.result(
          "\(file): ok, \(scenario.plan.participants.count) participants, \(publishers) publish video, "
            + "\(scenario.plan.duration)\n")
      } catch {
        isBroken = true
        for diagnostic in error.diagnostics { Terminal.error("\(diagnostic)") }
      }
    }
    if isBroken { throw ExitCode(2) }
  }
}
