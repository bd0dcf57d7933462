import Meeting
import Metrics
import Plan
import Quantity
import ResultReading
import Scenario

/// Time series of a meeting, read from the CSV tables that users get.
struct MeetingSeries: Sendable {
  /// Length of an interval [s].
  let interval: Double
  private let participants: IntervalTable
  private let links: IntervalTable
  private let streams: IntervalTable
  private let sent: IntervalTable

  /// Runs a scenario of the package.
  init(scenario bytes: [UInt8], seed: UInt64? = nil) throws {
    try self.init(ScenarioReader.read(bytes: bytes, file: "case", directory: ""), seed: seed)
  }

  /// Runs a scenario with 200 ms intervals, as RFC 8868 section 3 requires for its metrics.
  ///
  /// - Parameter seed: seed of the run; `nil` for the scenario's own.
  init(_ loaded: LoadedScenario, seed: UInt64? = nil) throws {
    let interval = SimDuration.milliseconds(200)
    var sink = MemorySink()
    _ = try MeetingRun.run(
      loaded.plan, seed: seed ?? loaded.plan.seed, interval: interval, runID: "case", into: &sink)
    self.interval = interval.seconds
    let count = Int((loaded.plan.duration.seconds / interval.seconds).rounded(.up))
    func table(_ table: ResultTable, keys: [String]) throws -> IntervalTable {
      try IntervalTable(
        sink.bytes(of: table), path: table.fileName, keys: keys, interval: interval.seconds, count: count)
    }
    participants = try table(.participants, keys: ["participant"])
    links = try table(.links, keys: ["link"])
    streams = try table(.streams, keys: ["viewer", "source"])
    sent = try table(.sent, keys: ["source", "layer"])
  }

  // Columns have one value per interval, `nil` before the participant joins.

  /// Returns a column of `participants.csv`.
  func participant(_ id: String, _ column: String) -> [Double?] { participants.column(id, column) }
  /// Returns a column of `links.csv`.
  func link(_ name: String, _ column: String) -> [Double?] { links.column(name, column) }
  /// Returns a column of `streams.csv`.
  func stream(_ viewer: String, _ source: String, _ column: String) -> [Double?] {
    streams.column(viewer + " " + source, column)
  }

  /// Returns a column of `sent.csv`.
  func sent(_ source: String, layer: String, _ column: String) -> [Double?] {
    sent.column(source + " " + layer, column)
  }

  /// Returns the values of a series between two times [s].
  func window(_ series: [Double?], _ from: Double, _ to: Double) -> [Double] {
    let first = Int((from / interval).rounded())
    let last = min(Int((to / interval).rounded()), series.count)
    return first < last ? series[first..<last].compactMap { $0 } : []
  }

  func mean(_ series: [Double?], _ from: Double, _ to: Double) -> Double {
    let values = window(series, from, to)
    return values.isEmpty ? .nan : values.reduce(0, +) / Double(values.count)
  }

  /// Returns points for plotting, with values multiplied by a factor.
  func points(_ series: [Double?], times factor: Double) -> [(time: Double, value: Double)] {
    series.enumerated().compactMap { index, value in
      value.map { (Double(index + 1) * interval, $0 * factor) }
    }
  }
}
