import Meeting
import Metrics
import Quantity
import Scenario

/// A meeting's tables as series over time, read from the CSVs that every user gets.
struct MeetingSeries {
  /// Length of an interval [s].
  let interval: Double
  /// Values by participant or link, then column, one each interval, `nil` before somebody joins.
  private let participants: [String: [String: [Double?]]]
  private let links: [String: [String: [Double?]]]
  private let streams: [String: [String: [Double?]]]

  /// Runs a scenario of ours.
  init(scenario bytes: [UInt8], seed: UInt64? = nil) throws {
    try self.init(ScenarioReader.read(bytes: bytes, file: "case", directory: ""), seed: seed)
  }

  /// Runs a scenario in intervals of 200 ms, as RFC 8868 section 3 wants its metrics.
  ///
  /// - Parameter seed: `nil` for the scenario's own.
  init(_ loaded: LoadedScenario, seed: UInt64? = nil) throws {
    let interval = SimDuration.milliseconds(200)
    var sink = MemorySink()
    _ = try MeetingRun.run(
      loaded.plan, seed: seed ?? loaded.plan.seed, interval: interval, runID: "case", into: &sink)
    self.interval = interval.seconds
    let count = Int((loaded.plan.duration.seconds / interval.seconds).rounded())
    participants = Self.series(sink, .participants, keys: ["participant"], interval.seconds, count)
    links = Self.series(sink, .links, keys: ["link"], interval.seconds, count)
    streams = Self.series(sink, .streams, keys: ["viewer", "source"], interval.seconds, count)
  }

  /// A column of `participants.csv`.
  func participant(_ id: String, _ column: String) -> [Double?] { participants[id]?[column] ?? [] }
  /// A column of `links.csv`.
  func link(_ name: String, _ column: String) -> [Double?] { links[name]?[column] ?? [] }
  /// A column of `streams.csv`.
  func stream(_ viewer: String, _ source: String, _ column: String) -> [Double?] {
    streams[viewer + " " + source]?[column] ?? []
  }

  /// The part of a series between two times [s].
  func window(_ series: [Double?], _ from: Double, _ to: Double) -> [Double] {
    let first = Int((from / interval).rounded())
    let last = min(Int((to / interval).rounded()), series.count)
    return first < last ? series[first..<last].compactMap { $0 } : []
  }

  func mean(_ series: [Double?], _ from: Double, _ to: Double) -> Double {
    let values = window(series, from, to)
    return values.isEmpty ? .nan : values.reduce(0, +) / Double(values.count)
  }

  /// Points for a picture, values times a factor.
  func points(_ series: [Double?], times factor: Double) -> [(time: Double, value: Double)] {
    series.enumerated().compactMap { index, value in
      value.map { (Double(index + 1) * interval, $0 * factor) }
    }
  }

  private static func series(
    _ sink: MemorySink, _ table: ResultTable, keys: [String], _ interval: Double, _ count: Int
  ) -> [String: [String: [Double?]]] {
    let lines = sink.text(of: table).split(separator: "\n")
    guard let header = lines.first?.split(separator: ",").map(String.init) else { return [:] }
    let keyColumns = keys.compactMap { header.firstIndex(of: $0) }
    let timeColumn = header.firstIndex(of: "time_s") ?? 1
    var result: [String: [String: [Double?]]] = [:]
    for line in lines.dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      let name = keyColumns.map { String(fields[$0]) }.joined(separator: " ")
      let place = Int(((Double(fields[timeColumn]) ?? 0) / interval).rounded()) - 1
      guard place >= 0, place < count else { continue }
      for (column, field) in zip(header, fields) {
        guard let value = Double(field) else { continue }
        result[name, default: [:]][column, default: Array(repeating: nil, count: count)][place] = value
      }
    }
    return result
  }
}
