import ArgumentParser
import Files
import Network
import Quantity
import Scenario

/// Summarizes, converts and generates capacity traces.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace", abstract: "Summarises, converts and generates capacity traces.",
    subcommands: [Info.self, Convert.self, Generate.self])

  /// Names of the formats, for the help.
  static let formats = CapacityTraceFormat.allCases.map(\.rawValue).joined(separator: ", ")

  /// Options for reading a file.
  struct Reading: ParsableArguments {
    @Option(help: "Format of the file; detected by default.")
    var format: CapacityTraceFormat?

    @Option(help: "Column of times of a table, by its name or its number from 1.")
    var time: String?

    @Option(help: "Column of rates of a table, by its name or number; of a tc script or log, the device.")
    var rate: String?

    @Option(help: "Unit of the rates: bps, kbps, Mbps, Gbps, B/s, kB/s or MB/s.")
    var unit: TraceRateUnit?

    @Option(help: "Unit of the times: s, ms, us or ns.")
    var timeUnit: TraceTimeUnit?

    func validate() throws {
      guard unit != nil || timeUnit != nil || time != nil || rate != nil else { return }
      guard [nil, .columns, .tcScript, .tcLog].contains(format) else {
        throw ValidationError("--time, --rate and --unit are for tables: remove --format, or state 'columns'")
      }
    }

    /// Reads a trace file.
    func read(_ path: String) throws(ExitCode) -> TraceFile {
      let bytes: [UInt8]
      do {
        bytes = try FileReader.expandedBytes(of: path, limit: FileReader.traceLimit)
      } catch {
        Terminal.error("\(path):1:1: error: \(error)")
        throw ExitCode(2)
      }
      do throws(CapacityTraceError) {
        let columns = TraceColumns(time: time, rate: rate, unit: unit, timeUnit: timeUnit)
        return try TraceFile(bytes: bytes, format: format, columns: columns, continuation: .hold)
      } catch {
        var text = "\(error)"
        if case .ambiguous = error.cause { text += ". Here these are options, such as --format or --unit" }
        Terminal.error("\(path):\(error.line):\(error.column): error: \(text)")
        throw ExitCode(2)
      }
    }
  }

  /// Summarizes a trace.
  struct Info: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Summarises a trace file: format, length, rates, outages.",
      usage: "meetsim trace info <file> [<options>]",
      discussion: """
        The format is detected from the whole content unless --format gives it: \(TraceCommand.formats). Where \
        several readings fit, you are asked which one, with what each would give. docs/traces.md describes the \
        formats. Columns and units of a table are found by name, or stated.

        EXAMPLES
          meetsim trace info scenarios/traces/lte-drive.csv
          meetsim trace info --format six-column drive.log
          meetsim trace info --time timestamp --rate downlink --unit kbps drive.csv
        """)

    @Argument(help: "Trace file.")
    var file: String

    @OptionGroup var reading: Reading

    @OptionGroup var quiet: QuietOption

    func run() throws {
      let read = try reading.read(file)
      let summary = read.trace.summary
      let seconds = (summary.duration.seconds * 10).rounded() / 10
      func kilobits(_ rate: BitRate) -> String { "\((rate.bitsPerSecond + 500) / 1000) kbps" }
      var text = """
        \(file.printable): \(read.format.rawValue), \(seconds) s
          mean \(kilobits(summary.mean)), per second from \(kilobits(summary.least)) to \(kilobits(summary.greatest))
          per second p5 \(kilobits(summary.p5)), p50 \(kilobits(summary.p50)), p95 \(kilobits(summary.p95))
          longest outage \(summary.longestOutage.nanoseconds / 1_000_000) ms, \
        \(summary.emptySeconds) of \(summary.secondCount) seconds without capacity
          \(Sparkline.text(of: summary.seconds, width: min(60, Terminal.width - 2)))

        """
      for row in read.rows {
        text += "  line \(row.line)\(row.text.isEmpty ? "" : ", '\(row.text.printable)'"): \(row.meaning)\n"
      }
      for note in read.notes { text += "  \(note.printable)\n" }
      if read.format.isLowerBound {
        text += "  measured throughput: a lower bound of the capacity\n"
      }
      for doubt in read.doubts { Terminal.warning("\(file):1:1: warning: \(doubt)") }
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
      usage: "meetsim trace convert <file> [<options>]",
      discussion: """
        The Mahimahi format has no explicit end: a trace that ends in an outage becomes shorter. Delivery \
        opportunities are converted to mean rates over 100 ms. --from and --until take a part.

        EXAMPLES
          meetsim trace convert scenarios/traces/lte-drive.csv \\
            --to mahimahi -o lte-drive.down
          meetsim trace convert lte-drive.down --to rate-csv -o lte-drive.csv
          meetsim trace convert drive.csv --from 120s --until 10min -o part.csv
        """)

    /// Row limit that keeps converted files readable, within ``FileReader/traceLimit``.
    private static let rowLimit: Int64 = 3_000_000

    @Argument(help: "Trace file.")
    var file: String

    @OptionGroup var reading: Reading

    @Option(help: "Format to write.")
    var to: Target = .rateCSV

    @Option(
      help: ArgumentHelp(
        "Begin of the part that is written, since the trace began, such as '90s'; by default all.",
        valueName: "time"))
    var from: String?

    @Option(help: ArgumentHelp("End of that part.", valueName: "time"))
    var until: String?

    @Option(name: .shortAndLong, help: "File to write; standard output by default.")
    var output: String?

    @OptionGroup var quiet: QuietOption

    func validate() throws {
      try Output.checkName(output)
      _ = try (TimeOption.time(from, "--from"), TimeOption.time(until, "--until"))
    }

    /// Returns the part of a trace to write.
    private func part(of whole: CapacityTrace) throws -> CapacityTrace {
      guard from != nil || until != nil else { return whole }
      let begin = SimTime.zero + (try TimeOption.time(from, "--from") ?? .zero)
      let end = SimTime.zero + (try TimeOption.time(until, "--until") ?? whole.period)
      guard let part = whole.part(from: begin, until: end) else {
        Terminal.error("\(file):1:1: error: the trace lasts \(whole.period): it has nothing in this part")
        throw ExitCode(2)
      }
      return part
    }

    func run() throws {
      try Output.checkApart(output, from: [file])
      let read = try reading.read(file)
      // If only a part is requested, gaps elsewhere do not matter.
      if from == nil, until == nil {
        for doubt in read.doubts { Terminal.warning("\(file):1:1: warning: \(doubt)") }
      }
      let trace = try part(of: read.trace)
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

    @OptionGroup var quiet: QuietOption

    func validate() throws { try SeedOption.check(seed) }

    func run() throws { Terminal.result(CapacityTrace.lteDrive(LTETraceParameters(), seed: seed)) }
  }
}

extension CapacityTraceFormat: ExpressibleByArgument {}

extension TraceTimeUnit: ExpressibleByArgument {}

extension TraceRateUnit: ExpressibleByArgument {
  init?(argument: String) { self.init(text: argument) }
}
