import Metrics
import Plan
import Quantity

/// Total of a tile's freezes in a window of a run's table, with pictures that stand still as in the whole run's
/// (`FreezeTotal`).
struct WindowedFreezes: Sendable {
  /// Columns of the table that are read.
  private struct Columns: Sendable {
    let frames: Int
    let count: Int
    let duration: Int
    let state: Int
    let limitation: Int
  }

  private let columns: Columns
  private let countsFreezes: Bool
  /// Window [ms].
  private let window: Range<Int64>
  private var freezes = FreezeTotal()
  /// Totals at the window's start, and within it so far.
  private var before = 0.0
  private var now: Double?

  /// `nil` for another measure than a total of freezes.
  ///
  /// - Parameter names: names of the table's columns.
  init?(_ measure: Expectation.Measure, in names: [String]) {
    guard ["freezes_duration_s", "freeze_count"].contains(measure.column), measure.statistic == .total,
      measure.target == nil, let frames = names.firstIndex(of: "frames_per_second"),
      let count = names.firstIndex(of: "freeze_count"),
      let duration = names.firstIndex(of: "freezes_duration_s"), let state = names.firstIndex(of: "state"),
      let limitation = names.firstIndex(of: "limitation")
    else { return nil }
    columns = Columns(frames: frames, count: count, duration: duration, state: state, limitation: limitation)
    countsFreezes = measure.column == "freeze_count"
    window = (measure.from ?? 0)..<(measure.to ?? .max)
  }

  /// Adds a row of the tile while it is on the screen.
  ///
  /// - Parameter interval: simulated time [ms].
  mutating func add(_ row: [ArraySlice<UInt8>], over interval: Range<Int64>) {
    guard interval.upperBound <= window.upperBound else { return }
    func text(_ column: Int) -> String { String(decoding: row[column], as: UTF8.self) }
    /// A field, as far as a table can have it.
    func number(_ column: Int) -> Double {
      guard let value = MeasuredTable.number(row[column]), value.isFinite else { return 0 }
      return min(max(value, 0), 1e9)
    }
    let length = interval.upperBound - interval.lowerBound
    freezes.add(
      frames: Int64((number(columns.frames) * Double(length) / 1000).rounded()),
      freezes: (
        Int64(number(columns.count)),
        SimDuration(nanoseconds: Int64((number(columns.duration) * 1e9).rounded()))
      ),
      isExpected: FreezeTotal.expectsFrames(in: text(columns.state), text(columns.limitation)),
      for: .milliseconds(length))
    if interval.lowerBound >= window.lowerBound { now = total } else { before = total }
  }

  mutating func leaveScreen() { freezes.leaveScreen() }

  /// Total within the window; `nil` if the tile was not on the screen there.
  var value: Double? { now.map { max(0, $0 - before) } }

  private var total: Double { countsFreezes ? Double(freezes.count) : freezes.duration.seconds }
}
