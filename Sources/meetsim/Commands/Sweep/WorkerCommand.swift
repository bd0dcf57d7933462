import ArgumentParser
import Sweep

/// Runs meetings for `sweep`, which starts it.
struct WorkerCommand: ParsableCommand {
  static let name = "sweep-worker"

  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Runs meetings for 'sweep', which starts it.",
    shouldDisplay: false)

  func run() throws { Worker.serve() }
}
