import ArgumentParser
import Files
import Metrics
import Quantity
import ResultReading
import Statistics
import TextLayout

/// Estimates the steady state from one long run.
struct SteadyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "steady",
    abstract: "Estimates a steady-state mean from one long run, with a confidence interval.",
    usage: "meetsim steady <directory> <column> [<options>]",
    discussion: """
      Values within a run are autocorrelated, so a naive confidence interval would be far too narrow. 'steady' \
      truncates the warm-up (by MSER-5, or at a time you give), divides the rest into batches and computes a Student-t \
      interval from the batch means, which are nearly uncorrelated when batches are long enough. It warns when the run \
      is too short for its warm-up to be detected, and when the batch means are still correlated. With several \
      repetitions (meetsim sweep) none of this is needed: there the unit of analysis is the run.

      --viewer with --source reads streams.csv, --participant participants.csv, --link links.csv. Exits with 2 when \
      there is no such series or too little of it is left.

      EXAMPLES
        meetsim run scenarios/one-to-one.yaml --set duration=10min -o out
        meetsim steady out bitrate_bps --viewer patient --source doctor
        meetsim steady out throughput_bps --link patient/down --batches 30
        meetsim steady out down_estimate_bps --participant patient --level '90 %'
      """)

  @Argument(help: "Result directory of a run.", completion: .directory)
  var directory: String

  @Argument(help: "Column of the table, such as 'bitrate_bps'.")
  var column: String

  @Option(help: ArgumentHelp("The viewer; requires --source.", valueName: "id"))
  var viewer: String?

  @Option(help: ArgumentHelp("The participant whose video is received; requires --viewer.", valueName: "id"))
  var source: String?

  @Option(help: ArgumentHelp("A participant in participants.csv.", valueName: "id"))
  var participant: String?

  @Option(help: ArgumentHelp("A link in links.csv.", valueName: "link"))
  var link: String?

  @Option(help: ArgumentHelp("'auto' for MSER-5, or a time such as '20s'.", valueName: "auto|time"))
  var warmUp = "auto"

  @Option(help: "Number of batches, at least 3; 20 to 30 are usual.")
  var batches = 20

  @Option(help: ArgumentHelp("Confidence level of the interval.", valueName: "share"))
  var level = "95 %"

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    if batches < 3 { throw ValidationError("--batches '\(batches)' is out of range: from 3") }
    let series = [viewer != nil && source != nil, participant != nil, link != nil]
    guard series.count(where: { $0 }) == 1, (viewer == nil) == (source == nil) else {
      throw ValidationError("name one series: --viewer and --source, or --participant, or --link")
    }
  }

  func run() throws {
    let rule = try rule()
    let level = try confidence()
    let series: IntervalSeries
    do {
      series = try self.series()
    } catch let error as ResultReadingError {
      Terminal.error("\(error)")
      throw ExitCode(2)
    }
    let deletion = rule.deletion(from: series.values, interval: .milliseconds(Int64(series.interval)))
    let rest = series.values.dropFirst(deletion.deleted)
    guard let means = BatchMeans(series: rest, batches: batches, level: level) else {
      Terminal.error(
        "error: \(rest.count) of \(series.values.count) intervals are left, too few for \(batches) batches: "
          + "run longer or with a shorter --interval, or take fewer --batches")
      throw ExitCode(2)
    }
    report(series, deletion, means)
    if !deletion.isSettled {
      Terminal.warning("warning: the run is too short to separate the warm-up from the steady state")
    }
    if means.areCorrelated {
      Terminal.warning("warning: the batch means are correlated, so the interval is too narrow:")
      Terminal.warning("run longer, or use fewer batches")
    }
  }

  private func rule() throws -> WarmUpRule {
    guard warmUp != "auto" else { return .mser5 }
    do {
      return .fixed(try SimDuration(text: warmUp))
    } catch {
      throw ValidationError("--warm-up: \(error)")
    }
  }

  private func confidence() throws -> Double {
    let level: Double
    do {
      level = try Fraction(text: self.level).value
    } catch {
      throw ValidationError("--level: \(error)")
    }
    guard level >= 0.5, level < 1 else {
      throw ValidationError("--level '\(self.level)' is out of range: from 50 % to below 100 %")
    }
    return level
  }

  private func series() throws -> IntervalSeries {
    guard !Directory.exists(directory + "/runs.csv") else {
      throw ResultReadingError(
        directory, "this is a sweep: its unit of analysis is the run, see the intervals in summary.csv")
    }
    var table = "streams.csv"
    var subject: [(column: String, value: String)] = []
    if let viewer, let source { subject = [("viewer", viewer), ("source", source)] }
    if let participant { (table, subject) = ("participants.csv", [("participant", participant)]) }
    if let link { (table, subject) = ("links.csv", [("link", link)]) }
    try WrittenTables.check(in: directory, [table])
    return try IntervalSeries.read("\(directory)/\(table)", column: column, of: subject)
  }

  /// The column's unit after a space; empty for counts, fractions and scores.
  private var unit: String {
    let table: ResultTable = participant != nil ? .participants : link != nil ? .links : .streams
    guard let unit = table.columns.first(where: { $0.name == column })?.unit, unit != .one else { return "" }
    return " " + unit.rawValue
  }

  /// Formats a value with six significant digits, or with all digits of a larger integer part: `533475`, `0.0123457`.
  private static func rounded(_ value: Double) -> String {
    guard value != 0, value.isFinite else { return "\(value)" }
    var scale = 1.0
    while abs(value) * scale < 100_000, scale < 1e12 { scale *= 10 }
    return scale == 1 ? "\(Int(value.rounded()))" : "\((value * scale).rounded() / scale)"
  }

  private func report(_ series: IntervalSeries, _ deletion: WarmUpDeletion, _ means: BatchMeans) {
    func time(_ intervals: Int) -> SimDuration { .milliseconds(Int64(intervals * series.interval)) }
    let method = warmUp == "auto" ? "MSER-5" : "as requested"
    let interval = means.estimate.interval.map {
      "\(Self.rounded($0.low)) to \(Self.rounded($0.high))\(unit) (\(level), Student-t)"
    }
    let rows = [
      ["mean", "\(Self.rounded(means.estimate.mean))\(unit)"], ["interval", interval ?? "none"],
      ["warm-up", "\(time(deletion.deleted)) of \(time(series.values.count)) (\(method))"],
      [
        "batches",
        "\(means.estimate.count) of \(time(means.batchSize)), lag-1 autocorrelation "
          + "\((means.lag1Autocorrelation * 1000).rounded() / 1000)\(means.areCorrelated ? ", correlated" : "")",
      ],
    ]
    Terminal.result(TextTable.aligned(rows).joined(separator: "\n") + "\n")
  }
}
