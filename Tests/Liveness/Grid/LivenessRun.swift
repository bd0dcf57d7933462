package import Meeting
import Metrics
import Quantity
import Scenario
import TestSupport

/// What one run showed its viewer from ``LivenessRun/warmUp`` on.
package struct LivenessRun: Sendable {
  /// Time before which nothing counts [s].
  package static let warmUp = 20.0

  /// Share of the seconds of wanted tiles that had a decoded frame.
  package var pictureShare = 0.0
  /// Video received, headers and repairs included [bit/s].
  package var delivered = 0.0
  /// The longest that a wanted tile was without a decoded frame [s].
  package var longestGap = 0

  /// Runs a cell's meeting.
  ///
  /// - Throws: what is wrong with its scenario.
  package init(
    _ cell: LivenessCell, estimator: String, seed: UInt64, seconds: Int, share: Double = 1
  ) throws {
    let scenario = try Meetings.scenario(
      cell.scenario(estimator: estimator, seconds: seconds, share: share))
    try self.init(scenario.plan, seed: seed)
  }

  /// Runs a meeting with one viewer.
  package init(_ plan: MeetingPlan, seed: UInt64) throws {
    var sink = StreamsSink()
    _ = try MeetingRun.run(plan, seed: seed, runID: "", into: &sink)
    var wanted = 0
    var shown = 0
    var bits = 0.0
    var gaps: [String: Int] = [:]
    let rows = sink.rows
    for row in rows where row.time > Self.warmUp {
      bits += row.bitrate
      guard row.isWanted else { continue }
      wanted += 1
      let gap = row.framesPerSecond > 0 ? 0 : gaps[row.source, default: 0] + 1
      if gap == 0 { shown += 1 }
      gaps[row.source] = gap
      longestGap = max(longestGap, gap)
    }
    pictureShare = wanted == 0 ? 1 : Double(shown) / Double(wanted)
    delivered = bits / max(1, plan.duration.seconds - Self.warmUp)
  }
}

/// Keeps the streams' table and lets the rest go.
struct StreamsSink: TableSink {
  struct Row {
    var time: Double
    var source: String
    var isWanted: Bool
    var framesPerSecond: Double
    var bitrate: Double
  }

  private var bytes: [UInt8] = []

  mutating func write(_ bytes: [UInt8], to table: ResultTable) throws(ResultError) {
    if table == .streams { self.bytes += bytes }
  }

  /// In order of time.
  var rows: [Row] {
    var lines = bytes.split(separator: UInt8(ascii: "\n")).makeIterator()
    let names = (lines.next() ?? []).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    let columns = ["time_s", "source", "requested_height_px", "frames_per_second", "bitrate_bps"]
      .compactMap { names.firstIndex(of: $0) }
    precondition(columns.count == 5, "streams.csv lacks a column: it has \(names)")
    func number(_ text: String) -> Double {
      guard let value = Double(text) else { preconditionFailure("'\(text)' in streams.csv is no number") }
      return value
    }
    var rows: [Row] = []
    while let line = lines.next() {
      let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      let texts = columns.map { String(decoding: fields[$0], as: UTF8.self) }
      rows.append(
        Row(
          time: number(texts[0]), source: texts[1], isWanted: !texts[2].isEmpty,
          framesPerSecond: number(texts[3]), bitrate: number(texts[4])))
    }
    return rows
  }
}
