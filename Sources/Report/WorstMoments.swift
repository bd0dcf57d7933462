import JSON
import Metrics
import Quantity

/// The worst moments of tiles on the screen: stretches below their request, and freezes.
struct WorstMoments {
  /// A stretch of intervals in which a tile had fewer lines than requested for a single reason, or the tile's freezes.
  struct Moment {
    enum Kind: String { case below = "below request", freeze }

    let kind: Kind
    let viewer: String
    let source: String
    /// Limitation of the stretch; empty for freezes, whose causes the tables do not tell.
    let limitation: String
    /// Start and end [s]; for freezes, those of the longest, taken to end with its interval.
    let begin: Double
    let end: Double
    /// Requested height [px].
    let asked: Double
    /// Median of the decoded heights over the stretch [px]; 0 for none.
    let got: Double
    /// Missing pixels [Mpx]; for freezes, the length of the longest [s].
    let weight: Double
    /// Number of freezes, and their total length [s]; 0 for stretches.
    var count = 0
    var total = 0.0

    var json: JSONValue {
      .object([
        ("what", .text(kind.rawValue)), ("viewer", .text(viewer)), ("source", .text(source)),
        ("limitation", .text(limitation)), ("begin", .real(begin)), ("end", .real(end)),
        ("asked", .real(asked)), ("got", .real(got)), ("weight", .real((weight * 1000).rounded() / 1000)),
        ("count", .integer(Int64(count))), ("total", .real((total * 1000).rounded() / 1000)),
      ])
    }
  }

  /// Moments of all viewers, freezes before stretches, at most ``limit`` of each kind per viewer, worst first.
  private(set) var moments: [Moment] = []
  /// Missing pixels of each viewer's tiles while they were on the screen.
  private(set) var missing: [String: Int128] = [:]

  /// Maximum number of moments of a kind per viewer.
  private static let limit = 8

  /// A row of `streams.csv`.
  private struct Row {
    let time: Double
    let asked: Double
    let got: Double
    let missing: Int128
    let limitation: String
    let isBelow: Bool
  }

  /// - Parameters:
  ///   - streams: `streams.csv`.
  ///   - tiles: rows of each viewer and source, by time.
  ///   - freezes: freezes of each of them.
  ///   - interval: length of an interval [s].
  init(
    _ streams: TableColumns, tiles: [(viewer: String, source: String, rows: [Int])],
    freezes: [[FreezeCourse.Freeze]], interval: Double
  ) {
    let (times, asked, rates) =
      (streams.numbers("time_s"), streams.numbers("requested_height_px"), streams.numbers("requested_fps"))
    let (heights, shownRates) = (streams.numbers("frame_height_px"), streams.numbers("frames_per_second"))
    let (states, limitations) = (streams.texts("state"), streams.texts("limitation"))
    func value(_ number: Double) -> Double { number.isNaN ? 0 : number }
    var below: [Moment] = []
    var frozen: [Moment] = []
    for (tile, freezes) in zip(tiles, freezes) {
      let rows = tile.rows.map { row in
        // A tile that nobody sees, or whose camera is off, lacks nothing; one that was granted nothing does.
        let isSeen =
          states[row] != "hidden" && states[row] != "muted"
          && !["off-screen", "muted"].contains(limitations[row])
        let lack = PixelShortfall(
          requestedHeight: value(asked[row]), requestedRate: value(rates[row]), height: value(heights[row]),
          rate: value(shownRates[row]), seconds: interval
        ).missing
        return Row(
          time: times[row], asked: value(asked[row]), got: value(heights[row]), missing: isSeen ? lack : 0,
          limitation: limitations[row],
          isBelow: isSeen && limitations[row] != "none" && value(heights[row]) < value(asked[row]))
      }
      missing[tile.viewer, default: 0] += rows.reduce(0) { $0 + $1.missing }
      below += Self.stretches(rows, tile.viewer, tile.source, interval)
      if let longest = freezes.max(by: { $0.duration < $1.duration }) {
        let last = rows.last { $0.time <= longest.at }
        frozen.append(
          Moment(
            kind: .freeze, viewer: tile.viewer, source: tile.source, limitation: "",
            begin: max(0, longest.at - max(longest.duration, interval)),
            end: longest.at,
            asked: last?.asked ?? 0, got: last?.got ?? 0, weight: longest.duration,
            count: freezes.reduce(0) { $0 + $1.count }, total: freezes.reduce(0) { $0 + $1.duration }))
      }
    }
    moments = Self.heaviest(frozen) + Self.heaviest(below)
  }

  private static func stretches(
    _ rows: [Row], _ viewer: String, _ source: String, _ interval: Double
  ) -> [Moment] {
    var found: [Moment] = []
    var stretch: [Row] = []
    func finish() {
      guard let first = stretch.first, let last = stretch.last else { return }
      let heights = stretch.map(\.got).sorted()
      let weight = stretch.reduce(Int128(0)) { $0 + $1.missing }
      found.append(
        Moment(
          kind: .below, viewer: viewer, source: source, limitation: first.limitation,
          begin: max(0, first.time - interval), end: last.time, asked: stretch.map(\.asked).max() ?? 0,
          got: heights[(heights.count - 1) / 2],
          // [px² x 1/1000 Hz x ns] to squares of lines x frames, in millions.
          weight: Double(weight) / 1e18))
      stretch = []
    }
    for row in rows {
      if let last = stretch.last,
        !row.isBelow || row.limitation != last.limitation || row.time - last.time >= 1.5 * interval
      {
        finish()
      }
      if row.isBelow { stretch.append(row) }
    }
    finish()
    return found
  }

  private static func heaviest(_ moments: [Moment]) -> [Moment] {
    var counts: [String: Int] = [:]
    let order = moments.indices.sorted { a, b in
      (-moments[a].weight, moments[a].begin, a) < (-moments[b].weight, moments[b].begin, b)
    }
    return order.map { moments[$0] }.filter { moment in
      counts[moment.viewer, default: 0] += 1
      return counts[moment.viewer, default: 0] <= limit
    }
  }
}
