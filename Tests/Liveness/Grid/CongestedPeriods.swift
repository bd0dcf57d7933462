package import Metrics

/// Keeps what a viewer was shown and what its server said, and lets the rest go.
package struct LivenessSink: TableSink {
  struct Row {
    var time: Double
    var source: String
    var isWanted: Bool
    var framesPerSecond: Double
    var bitrate: Double
  }

  private var streams: [UInt8] = []
  private var events: [UInt8] = []

  package init() {}

  package mutating func write(_ bytes: [UInt8], to table: ResultTable) throws(ResultError) {
    switch table {
    case .streams: streams += bytes
    case .events: events += bytes
    default: break
    }
  }

  /// In order of time.
  var rows: [Row] {
    let columns = ["time_s", "source", "requested_height_px", "frames_per_second", "bitrate_bps"]
    return Self.read(streams, columns) { texts in
      Row(
        time: Self.number(texts[0]), source: texts[1], isWanted: !texts[2].isEmpty,
        framesPerSecond: Self.number(texts[3]), bitrate: Self.number(texts[4]))
    }
  }

  /// When the path had become congested during a probe, in which case LiveKit's server commits no capacity and goes on
  /// sending as it did until the congestion has passed [s].
  package var congestedProbes: [ClosedRange<Double>] {
    var periods: [ClosedRange<Double>] = []
    var congestedAt: Double?
    let said = Self.read(events, ["time_s", "event", "detail"]) { (Self.number($0[0]), $0[1], $0[2]) }
    for (time, event, detail) in said {
      switch (event, detail) {
      case ("congestion", "congested"): congestedAt = time
      // A capacity was committed: what is sent has changed.
      case ("capacity", _): congestedAt = nil
      case ("congestion", _):
        if let start = congestedAt { periods.append(start...time) }
        congestedAt = nil
      default: break
      }
    }
    return periods + (congestedAt.map { [$0...Double.infinity] } ?? [])
  }

  private static func number(_ text: String) -> Double {
    guard let value = Double(text) else { preconditionFailure("'\(text)' in a table is no number") }
    return value
  }

  private static func read<Row>(_ bytes: [UInt8], _ names: [String], _ row: ([String]) -> Row) -> [Row] {
    var lines = bytes.split(separator: UInt8(ascii: "\n")).makeIterator()
    let header = fields(lines.next() ?? [])
    let columns = names.compactMap { header.firstIndex(of: $0) }
    precondition(columns.count == names.count, "a table lacks one of \(names): it has \(header)")
    var rows: [Row] = []
    while let line = lines.next() {
      let fields = fields(line)
      rows.append(row(columns.map { fields[$0] }))
    }
    return rows
  }

  private static func fields(_ line: ArraySlice<UInt8>) -> [String] {
    line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
