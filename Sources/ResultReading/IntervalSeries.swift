/// Time series of one column and one subject of an interval table.
package struct IntervalSeries: Equatable, Sendable {
  /// Length of an interval in simulated time [ms].
  package let interval: Int
  /// Values in the column's unit, one per interval.
  package let values: [Double]

  package init(interval: Int, values: [Double]) {
    self.interval = interval
    self.values = values
  }

  /// Reads a series.
  ///
  /// - Parameters:
  ///   - path: `streams.csv`, `participants.csv` or `links.csv`.
  ///   - column: name of a numeric column.
  ///   - subject: columns and values that select the rows, such as `viewer` and `student-1`.
  /// - Returns: the series, without the last interval if that is shorter than the others.
  /// - Throws: ``ResultReadingError`` if the table cannot be read, has no such column or subject, or lacks a value or
  ///   an interval in between.
  package static func read(
    _ path: String, column: String, of subject: [(column: String, value: String)]
  ) throws(ResultReadingError) -> IntervalSeries {
    var table = try ColumnReader(path: path)
    let time = try table.index(of: "time_s")
    guard let place = table.header.firstIndex(of: column) else {
      let names = table.header.drop { $0 != "time_s" }.dropFirst()
      throw ResultReadingError(
        path, line: 1, "there is no column '\(column)': the columns are \(names.joined(separator: ", "))")
    }
    var keys: [(place: Int, value: String)] = []
    for key in subject { keys.append((try table.index(of: key.column), key.value)) }
    var ends: [Int] = []
    var values: [Double] = []
    rows: while try table.next() {
      for key in keys where try table.text(key.place) != key.value { continue rows }
      guard let seconds = try table.moment(time), let value = try table.number(place) else {
        throw table.error("\(column) has no value here: a series needs one in every interval")
      }
      let end = Int((seconds * 1000).rounded())
      if let last = ends.last, end <= last {
        throw table.error("an interval that ends at \(end) ms comes after one that ends at \(last) ms")
      }
      ends.append(end)
      values.append(value)
    }
    guard ends.count > 1 else {
      let name = subject.map { "\($0.column) '\($0.value)'" }.joined(separator: " and ")
      throw ResultReadingError(path, line: 1, "there are fewer than two intervals of \(name)")
    }
    let interval = ends[1] - ends[0]
    if ends[ends.count - 1] - ends[ends.count - 2] < interval - 1 {
      ends.removeLast()
      values.removeLast()
    }
    // Times are rounded to milliseconds.
    for (end, next) in zip(ends, ends.dropFirst()) where abs(next - end - interval) > 1 {
      throw ResultReadingError(path, line: 1, "intervals between \(end) ms and \(next) ms are missing")
    }
    return IntervalSeries(interval: interval, values: values)
  }
}
