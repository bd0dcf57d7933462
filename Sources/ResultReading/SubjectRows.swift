/// Rows of an interval table that belong to one subject, with chosen columns.
package struct SubjectRows: Sendable {
  package struct Row: Sendable {
    /// End of the interval [s].
    package let time: Double
    /// Fields in the order of the chosen columns; empty where there is no value.
    package var texts: [String]
    package var numbers: [Double?]
  }

  package let rows: [Row]

  /// Reads the rows whose columns have the given values.
  ///
  /// - Throws: ``ResultReadingError`` if the table cannot be read, or lacks a column.
  package static func read(
    _ path: String, columns: [String], of subject: [(column: String, value: String)]
  ) throws(ResultReadingError) -> SubjectRows {
    var table = try ColumnReader(path: path)
    let time = try table.index(of: "time_s")
    var keys: [(place: Int, value: String)] = []
    for key in subject { keys.append((try table.index(of: key.column), key.value)) }
    var places: [Int] = []
    for column in columns { places.append(try table.index(of: column)) }
    var rows: [Row] = []
    next: while try table.next() {
      for key in keys where try table.text(key.place) != key.value { continue next }
      guard let moment = try table.moment(time) else { throw table.error("time_s has no value") }
      if let last = rows.last?.time, moment < last { throw table.error("the rows are not in order of time") }
      var texts: [String] = []
      for place in places { texts.append(try table.text(place)) }
      rows.append(Row(time: moment, texts: texts, numbers: texts.map { Double($0) }))
    }
    return SubjectRows(rows: rows)
  }
}
