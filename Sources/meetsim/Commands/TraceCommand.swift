import ArgumentParser
import Files
import Network
import Quantity
import Scenario

/// Summarises, converts and generates capacity traces.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace", abstract: "Summarises, converts and generates capacity traces.",
    subcommands: [Info.self, Convert.self, Generate.self])

  /// Reads a trace file in the given or the detected format.
  static func read(
    _ path: String, _ format: CapacityTraceFormat?
  ) throws(ExitCode) -> (format: CapacityTraceFormat, trace: CapacityTrace, statesMore: Bool) {
    let bytes: [UInt8]
    do {
      bytes = try FileReader.bytes(of: path, limit: FileReader.traceLimit)
    } catch {
      Terminal.error("\(path):1:1: error: \(error)")
      throw ExitCode(2)
    }
    do throws(CapacityTraceError) {
      guard let found = format ?? CapacityTraceFormat(lookingAt: bytes) else {
        throw CapacityTraceError(line: 1, cause: bytes.isEmpty ? .empty : .unknownFormat)
      }
      let trace = try CapacityTrace(bytes: bytes, format: found, continuation: .hold)
      return (found, trace, found.statesMore(bytes))
    } catch {
      Terminal.error("\(path):\(error.line):\(error.column): error: \(error)")
      throw ExitCode(2)
    }
  }

  /// Summarises a trace.
  struct Info: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Summarises a trace file: format, length, rates, outages.",
      discussion: """
        The format is detected from the content unless --format gives it: rate-csv, mahimahi, pensieve, \
        mbps-lines, six-column, gnettrack, oboe or alphartc.

        EXAMPLES
          meetsim trace info scenarios/traces/lte-drive.csv
          meetsim trace info --format six-column drive.log
        """)

    @Argument(help: "Trace file.")
    var file: String

    @Option(help: "Format of the file; detected by default.")
    var format: CapacityTraceFormat?

    func run() throws {
      let read = try TraceCommand.read(file, format)
      let summary = read.trace.summary
      let seconds = (summary.duration.seconds * 10).rounded() / 10
      func kilobits(_ rate: BitRate) -> String { "\((rate.bitsPerSecond + 500) / 1000) kbps" }
      var text = """
        \(file.printable): \(read.format.rawValue), \(seconds) s
          mean \(kilobits(summary.mean)), per second from \(kilobits(summary.least)) to \(kilobits(summary.greatest))
          percentiles per second: p5 \(kilobits(summary.p5)), p50 \(kilobits(summary.p50)), \
        p95 \(kilobits(summary.p95))
          longest outage \(summary.longestOutage.nanoseconds / 1_000_000) ms, \
        \(summary.emptySeconds) of \(summary.secondCount) seconds without capacity
          \(Sparkline.text(of: summary.seconds, width: 60))

        """
      if read.format.isLowerBound {
        text += "  measured throughput: a lower bound of the capacity\n"
      }
      if read.statesMore {
        text += "  delay and loss in the file are ignored: set them with the link's 'delay' and 'loss'\n"
      }
      Terminal.result(text)
    }
  }

  /// Writes a trace in another format.
  struct Convert: ParsableCommand {
    enum Target: String, ExpressibleByArgument, CaseIterable {
      case rateCSV = "rate-csv"
      case mahimahi
    }

    static let configuration = CommandConfiguration(
      abstract: "Writes a trace in another format.",
      discussion: """
        The Mahimahi format has no explicit end: a trace that ends in an outage becomes shorter. Delivery \
        opportunities are converted to mean rates over 100 ms.

        EXAMPLES
          meetsim trace convert scenarios/traces/lte-drive.csv --to mahimahi -o lte-drive.down
          meetsim trace convert lte-drive.down --to rate-csv -o lte-drive.csv
        """)

    /// Row limit that keeps converted files readable, within ``FileReader/traceLimit``.
    private static let rowLimit: Int64 = 3_000_000

    @Argument(help: "Trace file.")
    var file: String

    @Option(help: "Format of the file; detected by default.")
    var format: CapacityTraceFormat?

    @Option(help: "Format to write.")
    var to: Target = .rateCSV

    @Option(name: .shortAndLong, help: "File to write; standard output by default.")
    var output: String?

    func validate() throws { try Output.checkName(output) }

    func run() throws {
      try Output.checkApart(output, from: [file])
      let trace = try TraceCommand.read(file, format).trace
      let rows = to == .rateCSV ? trace.rateRows : trace.opportunityLines
      guard rows <= Self.rowLimit else {
        Terminal.error(
          "\(file):1:1: error: as \(to.rawValue) it would have \(rows) rows: at most \(Self.rowLimit)")
        throw ExitCode(2)
      }
      let text = to == .rateCSV ? trace.rateCSV : trace.mahimahi
      guard !text.isEmpty else {
        Terminal.error(
          "\(file):1:1: error: less than one packet of \(CapacityTrace.opportunitySize) bytes in all")
        throw ExitCode(2)
      }
      guard let output else { return Terminal.result(text) }
      try Output.write(text, to: output)
    }
  }

  /// Generates an LTE-like trace.
  struct Generate: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Generates an LTE-like capacity trace (rate-csv) on standard output, reproducible by its seed.",
      discussion: """
        EXAMPLE
          meetsim trace generate --seed 1 > scenarios/traces/lte-drive.csv
        """)

    @Option(help: "Seed of the trace.")
    var seed: UInt64 = 1

    func validate() throws { try SeedOption.check(seed) }

    func run() throws { Terminal.result(CapacityTrace.lteDrive(LTETraceParameters(), seed: seed)) }
  }
}

extension CapacityTraceFormat: ExpressibleByArgument {}
