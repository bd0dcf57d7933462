import ArgumentParser

/// The command line around the simulator.
@main
struct Meetsim: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "meetsim", abstract: "Simulates multiparty video meetings, packet by packet.",
    version: "0.1.0")
}
