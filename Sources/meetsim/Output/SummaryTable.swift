import Files
import Meeting
import Metrics
import Quantity

/// The streams received, as a table for a terminal.
struct SummaryTable {
  /// Maximum number of rows; if there are more tiles, the worst are listed and the others share a line.
  static let limit = 24

  private let tiles: [MeetingRun.Tile]

  init(tiles: [MeetingRun.Tile]) { self.tiles = tiles }

  /// The table as lines, header first.
  var text: String {
    guard !tiles.isEmpty else { return "no subscriptions\n" }
    var shown = tiles
    var rest: [MeetingRun.Tile] = []
    if tiles.count > Self.limit {
      let worst = tiles.enumerated().sorted { a, b in
        (fulfilment(a.element.summary), -a.element.summary.freezeCount, a.offset)
          < (fulfilment(b.element.summary), -b.element.summary.freezeCount, b.offset)
      }.map(\.element)
      shown = Array(worst.prefix(Self.limit - 1))
      rest = Array(worst.dropFirst(Self.limit - 1))
    }
    var rows = [
      ["viewer", "source", "asked", "delivered", "bitrate", "as asked", "freezes", "height over time"]
    ]
    rows += shown.map(row)
    var lines = Self.aligned(rows, right: [4, 5, 6])
    if !rest.isEmpty { lines.append(remainder(rest)) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Delivered share of the request, in time at the requested height or in frames, whichever is less [1/1000].
  private func fulfilment(_ summary: TileSummary) -> Int {
    let requested = Double(summary.requestedMilliFrames) / 1000 * summary.requestedTime.seconds
    let frames = requested > 0 ? Int(Double(summary.frames) / requested * 1000) : 1000
    return min(summary.thousandthsAsAsked, frames)
  }

  private func row(_ tile: MeetingRun.Tile) -> [String] {
    let summary = tile.summary
    let seconds = summary.requestedTime.seconds
    let rate = Double(summary.frames) / seconds
    let kilobits = Double(summary.bytes) * 8 / 1000 / seconds
    let delivered = summary.medianHeight == 0 ? "nothing" : "\(summary.medianHeight)p\(Int(rate.rounded()))"
    return [
      tile.viewer, tile.source,
      "\(summary.requestedHeight)p\(Self.short(summary.requestedMilliFrames))", delivered,
      "\(Int(kilobits.rounded())) kbps", "\(summary.thousandthsAsAsked / 10) %",
      summary.freezeCount == 0 ? "-" : "\(summary.freezeCount)", Self.sparkline(summary),
    ]
  }

  private static func short(_ milliFrames: Int) -> String {
    milliFrames % 1000 == 0 ? "\(milliFrames / 1000)" : "\(Double(milliFrames) / 1000)"
  }

  /// The height in equal parts of the run: blank where the tile was not subscribed, a dot where nothing was received.
  static func sparkline(_ summary: TileSummary) -> String {
    let steps = Array("▁▂▃▄▅▆▇█")
    let top = max(summary.requestedHeight, Int(summary.course.max() ?? 0), 1)
    return String(
      summary.course.map { height -> Character in
        if height < 0 { return " " }
        if height == 0 { return "·" }
        return steps[min(steps.count - 1, max(0, Int(height) * steps.count / top - 1))]
      })
  }

  private func remainder(_ rest: [MeetingRun.Tile]) -> String {
    let whole = rest.filter { $0.summary.thousandthsAsAsked == 1000 }.count
    let freezes = rest.reduce(0) { $0 + $1.summary.freezeCount }
    let shares = rest.map(\.summary.thousandthsAsAsked).sorted()
    return "… \(rest.count) more tiles: \(whole) at the asked height all the time, "
      + "half of them at least \(shares[shares.count / 2] / 10) % of it, \(freezes) freezes"
  }

  /// Rows with padded columns; the given columns are right-aligned. Control characters are escaped.
  static func aligned(_ rows: [[String]], right: Set<Int> = []) -> [String] {
    let rows = rows.map { $0.map(\.printable) }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.indices.map { column -> String in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return right.contains(column) ? padding + row[column] : row[column] + padding
      }
      var line = cells.joined(separator: "  ")
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }
}
