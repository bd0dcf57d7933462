import ArgumentParser
import Network

/// Makes capacity traces.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace", abstract: "Makes capacity traces.", subcommands: [Generate.self])

  /// Makes an LTE-like trace.
  struct Generate: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Writes an LTE-like capacity trace (rate-csv) to standard output; the same seed, the same bytes.",
      discussion: """
        EXAMPLE
          meetsim trace generate --seed 1 > scenarios/traces/lte-drive.csv
        """)

    @Option(help: "Seed of the trace.")
    var seed: UInt64 = 1

    func run() throws { Terminal.result(CapacityTrace.lteDrive(LTETraceParameters(), seed: seed)) }
  }
}
