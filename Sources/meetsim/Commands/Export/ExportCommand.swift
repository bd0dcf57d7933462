import ArgumentParser
import CallStatistics
import Files
import ResultReading

/// Writes a run as a participant's browser would have reported it.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes a run as getStats() would have told it in a participant's browser.",
    discussion: """
      For dashboards, notebooks and other tools that read real calls. docs/import.md describes what is exact and what is \
      derived.
      """,
    subcommands: [GetStats.self, WebRTCInternals.self])

  /// Options common to both forms.
  struct Options: ParsableArguments {
    @Argument(help: "The directory of a run.", completion: .directory)
    var directory: String

    @Option(help: "Id of the participant.")
    var participant: String

    @Option(name: .shortAndLong, help: "File to write; standard output by default.")
    var output: String?

    func validate() throws { try Output.checkName(output) }

    /// Writes a text made from the participant's statistics; exits with 2 for an unusable directory.
    func write(_ make: (BrowserStatistics) -> String) throws {
      try Output.checkApart(output, from: [directory])
      let run = try ExplainedRun.load(directory, run: nil)
      let statistics: BrowserStatistics
      do {
        _ = try run.participant(participant, option: "--participant")
        for table in ["participants.csv", "streams.csv", "sent.csv"]
        where !Directory.exists(StoredTable.path(of: "\(directory)/\(table)")) {
          throw ResultReadingError(
            directory, "it has no \(table), which export needs: run again without --tables")
        }
        statistics = try ParticipantStatistics(directory, participant, run.plan).statistics()
      } catch let error as ResultReadingError {
        Terminal.error("\(error)")
        throw ExitCode(2)
      }
      let text = make(statistics)
      guard let output else { return Terminal.data(text) }
      try Output.write(text, to: output)
    }
  }

  /// Reports of `getStats()`.
  struct GetStats: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "getstats",
      abstract: "As reports of getStats(), one per second and line, in JSON.",
      usage: "meetsim export getstats <directory> --participant <id> [<options>]",
      discussion: """
        Each line is an object of the statistics objects by their ids, as JSON.stringify writes a report. --format csv \
        writes the table that 'meetsim import getstats' reads, of the participant's camera alone.

        EXAMPLES
          meetsim export getstats out --participant ann -o ann.jsonl
          meetsim export getstats out --participant ann --format csv -o ann.csv
        """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case json, csv }

    @OptionGroup var options: Options

    @Option(help: "json or csv.")
    var format: Format = .json

    @OptionGroup var quiet: QuietOption

    func run() throws { try options.write { format == .json ? $0.reports : $0.table } }
  }

  /// A dump of `chrome://webrtc-internals`.
  struct WebRTCInternals: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "webrtc-internals",
      abstract: "As a dump of chrome://webrtc-internals.",
      usage: "meetsim export webrtc-internals <dir> --participant <id> [<options>]",
      discussion: """
        EXAMPLE
          meetsim export webrtc-internals out --participant ann -o ann-dump.txt
        """)

    @OptionGroup var options: Options

    @OptionGroup var quiet: QuietOption

    func run() throws { try options.write { $0.dump(agent: "meetsim \(Meetsim.version)") } }
  }
}
