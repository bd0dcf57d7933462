package import Files

/// Reads a result table record by record, with columns looked up by name.
package struct ColumnReader {
  package let path: String
  /// Column names, in the table's order.
  package let header: [String]
  private(set) package var record: CSVReader

  /// Opens a table, which may be compressed, and reads its header.
  package init(path: String) throws(ResultReadingError) {
    let path = StoredTable.path(of: path)
    let bytes: [UInt8]
    do {
      bytes = try StoredTable.bytes(of: path, limit: 16_000_000_000)
    } catch {
      throw ResultReadingError(path, line: 1, error.description)
    }
    try self.init(bytes: bytes, path: path)
  }

  /// Reads the header of a table in memory; the path is used in messages.
  package init(bytes: [UInt8], path: String) throws(ResultReadingError) {
    self.path = path
    var record = CSVReader(bytes)
    var names: [String] = []
    do throws(CSVError) {
      guard try record.next() else { throw CSVError(line: 1, description: "the table is empty") }
      for field in 0..<record.fieldCount { names.append(try record.text(field)) }
    } catch {
      throw ResultReadingError(path, line: error.line, error.description)
    }
    header = names
    self.record = record
  }

  /// Returns the index of a column.
  package func index(of column: String) throws(ResultReadingError) -> Int {
    guard let place = header.firstIndex(of: column) else {
      throw error("there is no column '\(column)': the table was written by another version of meetsim")
    }
    return place
  }

  package mutating func next() throws(ResultReadingError) -> Bool {
    do {
      guard try record.next() else { return false }
    } catch {
      throw ResultReadingError(path, line: error.line, error.description)
    }
    guard record.fieldCount == header.count else {
      throw error("\(record.fieldCount) fields where the header has \(header.count)")
    }
    return true
  }

  package func text(_ field: Int) throws(ResultReadingError) -> String {
    do {
      return try record.text(field)
    } catch {
      throw ResultReadingError(path, line: error.line, error.description)
    }
  }

  /// Parses a numeric field; `nil` for an empty one.
  package func number(_ field: Int) throws(ResultReadingError) -> Double? {
    let text = try text(field)
    if text.isEmpty { return nil }
    guard let value = Double(text), value.isFinite else {
      throw error("\(header[field]): '\(text)' is not a number")
    }
    return value
  }

  /// Parses a moment of a run [s]; `nil` for an empty field.
  package func moment(_ field: Int) throws(ResultReadingError) -> Double? {
    guard let seconds = try number(field) else { return nil }
    guard (0...Self.longestRun).contains(seconds) else {
      throw error("\(header[field]): '\(try text(field))' is not a time of a run, which lasts 24 h at most")
    }
    return seconds
  }

  private static let longestRun = 86_400.0

  func integer(_ field: Int) throws(ResultReadingError) -> Int {
    let text = try text(field)
    guard let value = Int(text) else { throw error("\(header[field]): '\(text)' is not a whole number") }
    return value
  }

  /// Creates an error at the current record.
  package func error(_ text: String) -> ResultReadingError {
    ResultReadingError(path, line: record.line, text)
  }
}
