/// Rows of an interval table that belong to one subject, with chosen columns.
package struct SubjectRows<Column>: Sendable
where Column: RawRepresentable<String> & CaseIterable & Hashable & Sendable {
  package struct Row: Sendable {
    /// End of the interval [s].
    package let time: Double
    private var texts: [Column: String]
    private var numbers: [Column: Double]

    fileprivate init(time: Double, texts: [Column: String]) {
      self.time = time
      self.texts = texts
      numbers = texts.compactMapValues { Double($0) }
    }

    /// Number in a column; `nil` if there is none.
    package subscript(column: Column) -> Double? {
      get { numbers[column] }
      set { numbers[column] = newValue }
    }

    /// Text in a column; empty if there is none.
    package subscript(text column: Column) -> String {
      get { texts[column, default: ""] }
      set { texts[column] = newValue }
    }
  }

  package let rows: [Row]

  /// Reads the rows whose columns have the given values.
  ///
  /// - Throws: ``ResultReadingError`` if the table cannot be read, or lacks a column.
  package static func read(
    _ path: String, of subject: [(column: String, value: String)]
  ) throws(ResultReadingError) -> SubjectRows {
    var table = try ColumnReader(path: path)
    let time = try table.index(of: "time_s")
    var keys: [(place: Int, value: String)] = []
    for key in subject { keys.append((try table.index(of: key.column), key.value)) }
    var places: [(column: Column, place: Int)] = []
    for column in Column.allCases { places.append((column, try table.index(of: column.rawValue))) }
    var rows: [Row] = []
    next: while try table.next() {
      for key in keys where try table.text(key.place) != key.value { continue next }
      guard let moment = try table.moment(time) else { throw table.error("time_s has no value") }
      if let last = rows.last?.time, moment < last { throw table.error("the rows are not in order of time") }
      var texts: [Column: String] = [:]
      for (column, place) in places { texts[column] = try table.text(place) }
      rows.append(Row(time: moment, texts: texts))
    }
    return SubjectRows(rows: rows)
  }
}
