import JSON
import Metrics
import Quantity
import ResultReading
import Statistics
import TextLayout

/// Means over repetitions with confidence intervals, by viewer or by tile.
struct RepetitionTable {
  /// Maximum number of rows unless all are shown; those with the lowest scores come first.
  private static let limit = 16
  private static let level = 0.95
  private static let metrics = [
    (metric: "pixels_of_screen", stats: ["mean"], title: "of screen"),
    (metric: "frame_height", stats: ["p50", "mean"], title: "height [px]"),
    (metric: "requested_height_share", stats: ["mean"], title: "at asked height"),
    (metric: "frames_per_second", stats: ["mean"], title: "frames [1/s]"),
    (metric: "bitrate", stats: ["mean"], title: "bit rate [kbps]"),
    (metric: "freezes_duration", stats: ["total", "max"], title: "frozen [s]"),
    (metric: "mos", stats: ["mean"], title: "MOS"),
  ]

  private let keys: [ScalarKey]
  private let values: [[Double]]
  private let scope: String

  /// - Parameter viewer: the only participant to include; `nil` for all.
  init(_ results: Results, by grouping: RunSummary.Grouping, viewer: String?) {
    scope = grouping == .tile ? "tile" : "participant"
    let scope = scope
    let kept = results.scalars.keys.indices.filter { place in
      let key = results.scalars.keys[place]
      return key.scope == scope && (viewer == nil || key.viewer == viewer)
    }
    keys = kept.map { results.scalars.keys[$0] }
    values = kept.map { results.scalars.values[$0] }
  }

  /// A viewer or a tile, with an estimate for each available metric.
  private struct Row {
    let names: [String]
    var estimates: [MeanEstimate?]
  }

  private var rows: [Row] {
    var rows: [Row] = []
    var places: [[String]: Int] = [:]
    for (key, values) in zip(keys, values) {
      guard
        let column = Self.metrics.firstIndex(where: { $0.metric == key.metric && $0.stats.contains(key.stat) }
        )
      else { continue }
      let names = scope == "tile" ? [key.viewer, key.source] : [key.viewer]
      let place = places[names] ?? rows.count
      if place == rows.count {
        places[names] = place
        rows.append(Row(names: names, estimates: Self.metrics.map { _ in nil }))
      }
      rows[place].estimates[column] = MeanEstimate(values: values.filter { !$0.isNaN }, level: Self.level)
    }
    return rows
  }

  /// - Parameter showsAll: `true` for all rows, `false` for only the worst.
  func lines(showsAll: Bool, width: Int) -> [Terminal.Line] {
    let last = Self.metrics.count - 1
    let rows = rows.enumerated().sorted { a, b in
      (a.element.estimates[last]?.mean ?? 0, a.offset) < (b.element.estimates[last]?.mean ?? 0, b.offset)
    }.map(\.element)
    guard !rows.isEmpty else { return [Terminal.Line("no subscriptions")] }
    let shown = showsAll ? rows : Array(rows.prefix(Self.limit))
    let used = Self.metrics.indices.filter { column in rows.contains { $0.estimates[column] != nil } }
    let titles = (scope == "tile" ? ["viewer", "source"] : ["viewer"]) + used.map { Self.metrics[$0].title }
    let cells = shown.map { row in
      row.names
        + used.map { column in
          row.estimates[column].map {
            Self.text(of: $0, scale: Self.metrics[column].metric == "bitrate" ? 1000 : 1)
          }
            ?? "-"
        }
    }
    let names = titles.count - used.count
    let right = Set(names..<titles.count)
    let blocks = TextTable.blocks(
      [titles] + cells, names: 0..<names, leading: names, right: right, width: width)
    var lines = blocks.flatMap { block in
      block.enumerated().map { Terminal.Line($1, $0 == 0 ? .strong : .plain) }
    }
    if rows.count > shown.count {
      lines.append(Terminal.Line("… and \(rows.count - shown.count) more with higher scores: --all"))
    }
    lines.append(Terminal.Line(""))
    let legend = "mean over the repetitions ± half of its 95 % confidence interval (Student-t)"
    return lines + legend.wrapped(to: width).map { Terminal.Line($0) }
  }

  private static func text(of estimate: MeanEstimate, scale: Double) -> String {
    let mean = figure(estimate.mean / scale)
    return estimate.interval.map { "\(mean) ± \(figure($0.halfWidth / scale))" } ?? mean
  }

  /// Formats a value with two decimals, with one from 10 on, and with none from 100 on.
  private static func figure(_ value: Double) -> String {
    let decimals = abs(value) >= 100 ? 1.0 : abs(value) >= 10 ? 10 : 100
    let rounded = (value * decimals).rounded() / decimals
    return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
  }

  // MARK: For programs

  private static let columns = ["viewer", "source", "metric", "stat", "unit", "n", "mean", "ci_lo", "ci_hi"]

  /// All metrics of the rows, according to RFC 4180.
  var csv: String {
    CSVLine.text(of: Self.columns) + zip(keys, values).map { CSVLine.text(of: Self.fields($0, $1)) }.joined()
  }

  /// All metrics of the rows as a list of objects, without members for missing values.
  var json: JSONValue {
    .list(
      zip(keys, values).map { key, values in
        .object(
          zip(Self.columns, Self.fields(key, values)).compactMap { name, text in
            text.isEmpty ? nil : (name, Self.value(of: text, in: name))
          })
      })
  }

  private static func value(of text: String, in column: String) -> JSONValue {
    switch column {
    case "n": Int64(text).map { .integer($0) } ?? .text(text)
    case "mean", "ci_lo", "ci_hi": Double(text).map { .real($0) } ?? .text(text)
    default: .text(text)
    }
  }

  private static func fields(_ key: ScalarKey, _ values: [Double]) -> [String] {
    let values = values.filter { !$0.isNaN }
    let estimate = MeanEstimate(values: values, level: level)
    return [key.viewer, key.source, key.metric, key.stat, key.unit, "\(values.count)"]
      + [estimate?.mean, estimate?.interval?.low, estimate?.interval?.high].map { $0?.decimalText ?? "" }
  }
}
