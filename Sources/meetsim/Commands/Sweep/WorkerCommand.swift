import ArgumentParser
import Sweep

/// Runs meetings on behalf of `sweep`.
struct WorkerCommand: ParsableCommand {
  static let name = "sweep-worker"

  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Runs meetings on behalf of 'sweep'.",
    shouldDisplay: false)

  func run() throws { Worker.serve() }
}
