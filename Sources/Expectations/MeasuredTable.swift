import Metrics
import Plan

/// Measurements of expectations on one interval table.
struct MeasuredTable: Sendable {
  /// Values of one measure for one subject.
  struct Series: Sendable {
    let viewer: String
    let source: String
    let column: Int
    /// Value that stands for an empty field of a tile that shows nothing; `nil` for none.
    let emptyValue: Double?
    /// Set if an expectation names the subject, rather than all that a pattern covers.
    let isNamed: Bool
    var values: IntervalStatistics
    /// Freezes, where their total is measured; `nil` otherwise.
    var freezes: WindowedFreezes?

    var value: Double? { freezes == nil ? values.value : freezes?.value }
  }

  let scope: ScalarMetric.Scope
  let table: ResultTable
  private(set) var series: [Series] = []
  private let expectations: [Expectation]
  /// Column names.
  private let names: [String]
  private let time: Int
  /// Columns that name the subject.
  private let subject: Range<Int>
  /// Columns that tell whether a tile counts, by being on the screen, as in its whole-run values; `nil` for other
  /// subjects.
  private let screen: (requested: Int, state: Int, limitation: Int)?
  private var hasHeader = false
  /// Length of the table's intervals, of which the last may be shorter [ms].
  private let length: Int64
  /// Current interval [ms].
  private var interval: Range<Int64> = 0..<0
  /// Indices of each subject's series, by the subject's fields.
  private var places: [[UInt8]: [Int]] = [:]

  /// `nil` if there is nothing to measure.
  ///
  /// - Parameters:
  ///   - expectations: expectations of the scope that have a measure.
  ///   - length: length of the table's intervals [ms].
  init?(_ scope: ScalarMetric.Scope, _ expectations: [Expectation], interval length: Int64) {
    guard !expectations.isEmpty, let table = scope.intervalTable else { return nil }
    names = table.columns.map(\.name)
    guard let time = names.firstIndex(of: "time_s") else { return nil }
    self.scope = scope
    self.table = table
    self.expectations = expectations
    self.length = length
    self.time = time
    subject = time + 1..<time + (scope == .tile || scope == .voice ? 3 : 2)
    if scope == .tile, let requested = names.firstIndex(of: "requested_height_px"),
      let state = names.firstIndex(of: "state"), let limitation = names.firstIndex(of: "limitation")
    {
      screen = (requested, state, limitation)
    } else {
      screen = nil
    }
  }

  /// Adds complete rows.
  mutating func add(_ bytes: [UInt8]) {
    var begin = 0
    while begin < bytes.count, let end = bytes[begin...].firstIndex(of: 0x0a) {
      // Neither names nor numbers are ever quoted.
      if hasHeader { add(row: bytes[begin..<end].split(separator: 0x2c, omittingEmptySubsequences: false)) }
      hasHeader = true
      begin = end + 1
    }
  }

  private mutating func add(row: [ArraySlice<UInt8>]) {
    guard row.count == names.count, let seconds = Self.number(row[time]) else { return }
    let now = Int64((seconds * 1000).rounded())
    // The table may have no row for the interval before, but intervals begin at multiples of their length.
    if now > interval.upperBound { interval = (now - 1) / length * length..<now }
    if let screen,
      row[screen.requested].isEmpty
        || !StreamRow.isOnScreen(state: row[screen.state], limitation: row[screen.limitation])
    {
      for place in places[Self.key(row[subject])] ?? [] { series[place].freezes?.leaveScreen() }
      return
    }
    for place in numbers(of: row[subject]) {
      let field = row[series[place].column]
      let value = field.isEmpty ? series[place].emptyValue : Self.number(field)
      series[place].values.add(value, over: interval)
      series[place].freezes?.add(row, over: interval)
    }
  }

  /// Returns the indices of a subject's series, which start at its first row.
  private mutating func numbers(of subject: ArraySlice<ArraySlice<UInt8>>) -> [Int] {
    let key = Self.key(subject)
    if let known = places[key] { return known }
    let words = subject.map { String(decoding: $0, as: UTF8.self) }
    let viewer = scope == .link ? "" : words[0]
    let source = scope == .link ? words[0] : words.count > 1 ? words[1] : ""
    var own: [Int] = []
    for expectation in expectations where expectation.covers(viewer: viewer, source: source) {
      guard let measure = expectation.measure, let column = names.firstIndex(of: measure.column) else {
        continue
      }
      own.append(series.count)
      series.append(
        Series(
          viewer: viewer, source: source, column: column,
          // Size and score are empty if no frame was decoded.
          emptyValue: ["frame_width_px": 0, "frame_height_px": 0, "mos": 1][measure.column],
          isNamed: !expectation.isAboutMany,
          values: IntervalStatistics(measure), freezes: WindowedFreezes(measure, in: names)))
    }
    places[key] = own
    return own
  }

  private static func key(_ subject: ArraySlice<ArraySlice<UInt8>>) -> [UInt8] {
    Array(subject.joined(separator: [0x2c]))
  }

  static func number(_ field: ArraySlice<UInt8>) -> Double? {
    Double(String(decoding: field, as: UTF8.self))
  }
}
