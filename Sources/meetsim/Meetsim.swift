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
      do {
        try command.run()
      } catch {
        code = report(error, of: type(of: command))
      }
    } catch {
      code = report(error)
    }
    exit(withError: ExitCode(Terminal.exitCode(after: code.rawValue)))
  }

  /// Prints requested help or an error; usage errors exit with 2 instead of the library's 64.
  ///
  /// - Parameter command: the command that ran, whose usage follows an error of its arguments; `nil` if they were not
  ///   parsed.
  private static func report(_ error: any Error, of command: (any ParsableCommand.Type)? = nil) -> ExitCode {
    let code = exitCode(for: error)
    var message = fullMessage(for: error)
    if let command, let error = error as? ValidationError {
      let name = (Self.name(of: command, in: Self.self) ?? [Self._commandName]).joined(separator: " ")
      message =
        "Error: \(error.message)\nUsage: \(usageString(for: command))\n  See '\(name) --help' for more information."
    }
    guard code != .success else {
      if !message.isEmpty { Terminal.result(withFileNames(message) + "\n") }
      return code
    }
    if !message.isEmpty { Terminal.usage(message) }
    return code == .validationFailure ? ExitCode(2) : code
  }

  /// Returns the words that call a command; `nil` if it is not one of these.
  private static func name(
    of wanted: any ParsableCommand.Type, in command: any ParsableCommand.Type
  ) -> [String]? {
    if wanted == command { return [command._commandName] }
    return command.configuration.subcommands.lazy.compactMap { name(of: wanted, in: $0) }.first
      .map { [command._commandName] + $0 }
  }

  /// Makes the bash completion script fall back to file names if the library's own completion proposes nothing.
  private static func withFileNames(_ script: String) -> String {
    script.replacing("complete -F _meetsim meetsim", with: "complete -o default -F _meetsim meetsim")
  }
}
