import Metrics
import Plan
import Quantity

/// Total of a tile's freezes in a window of a run's table, as far as they lie in it, with pictures that stand still as in
/// the whole run's (`FreezeCourse`).
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
  private var course = FreezeCourse()
  /// Set once the tile was on the screen within the window.
  private var isSeen = false

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
    func number(_ column: Int) -> Double { MeasuredTable.number(row[column]) ?? 0 }
    course.add(
      FreezeCourse.Row(
        framesPerSecond: number(columns.frames), freezeCount: number(columns.count),
        freezesDuration: number(columns.duration), state: text(columns.state),
        limitation: text(columns.limitation)),
      at: Double(interval.upperBound) / 1000,
      length: Double(interval.upperBound - interval.lowerBound) / 1000)
    if interval.lowerBound >= window.lowerBound { isSeen = true }
  }

  mutating func leaveScreen() { course.leaveScreen() }

  /// Time in freezes within the window, or number of those that begin there, each taken to end with its interval; `nil` if
  /// the tile was not on the screen there.
  var value: Double? {
    guard isSeen else { return nil }
    var course = course
    course.leaveScreen()
    let begin = Double(window.lowerBound) / 1000
    return course.freezes.reduce(0) { sum, freeze in
      let began = freeze.at - freeze.duration
      guard countsFreezes else { return sum + max(0, freeze.at - max(begin, began)) }
      return began > begin - 1e-6 ? sum + Double(freeze.count) : sum
    }
  }
}
