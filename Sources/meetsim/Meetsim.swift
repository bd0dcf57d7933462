import ArgumentParser

/// Command line interface.
@main
struct Meetsim: ParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "meetsim",
    abstract: "Simulates multiparty video meetings, packet by packet.",
    discussion: """
      Describe a meeting in a scenario file and run it: CSV files report the resolution, frame rate and bandwidth \
      that every participant received, and why.

      EXAMPLES
        meetsim run scenarios/one-to-one.yaml -o out
        meetsim check out
        meetsim sweep scenarios/sweeps/smoke.yaml -o out-sweep
        meetsim validate scenarios/*.yaml scenarios/sweeps/*.yaml
        meetsim list policies
      """,
    version: version,
    subcommands: [
      RunCommand.self, SweepCommand.self, StatusCommand.self, MergeCommand.self, SlurmCommand.self,
      CompareCommand.self, CheckCommand.self, WhatIfCommand.self, ReportCommand.self, TableCommand.self,
      SteadyCommand.self, ValidateCommand.self, ListCommand.self,
      TraceCommand.self, AllocateCommand.self, ExplainCommand.self, InitCommand.self, ImportCommand.self,
      ExportCommand.self, FitCommand.self,
      ReferenceCommand.self, SchemaCommand.self, VerifyCommand.self, WorkerCommand.self,
    ])

  static func main() {
    Terminal.begin()
    if CommandLine.arguments.dropFirst().first != WorkerCommand.name { CrashNotice.install() }
    var code = ExitCode.success
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      code = report(error)
    }
    exit(withError: ExitCode(Terminal.exitCode(after: code.rawValue)))
  }

  /// Prints requested help or an error; usage errors exit with 2 instead of the library's 64.
  private static func report(_ error: any Error) -> ExitCode {
    let code = exitCode(for: error)
    let message = fullMessage(for: error)
    guard code != .success else {
      if !message.isEmpty { Terminal.result(withFileNames(message) + "\n") }
      return code
    }
    if !message.isEmpty { Terminal.usage(message) }
    return code == .validationFailure ? ExitCode(2) : code
  }

  /// Makes the bash completion script fall back to file names if the library's own completion proposes nothing.
  private static func withFileNames(_ script: String) -> String {
    script.replacing("complete -F _meetsim meetsim", with: "complete -o default -F _meetsim meetsim")
  }
}
