import Files

/// Rows of a table of samples, with columns found by name.
struct GetStatsRows {
  /// Position of a column in the table.
  struct Place {
    var field: Int
    /// Factor from the column's unit to ours.
    var factor: Double
    /// Maximum value in our unit.
    var most: Double
  }

  private let path: String
  private let header: [String]
  private var reader: CSVReader

  init(_ bytes: [UInt8], path: String) throws(CallRecordError) {
    self.path = path
    reader = CSVReader(bytes)
    do throws(CSVError) {
      header = try reader.record() ?? []
    } catch {
      throw CallRecordError(path: path, line: error.line, text: error.description)
    }
    guard !header.isEmpty else { throw CallRecordError(path: path, text: "the file is empty") }
  }

  /// Finds a column and its factor; `nil` if the table has none.
  func place(of column: GetStatsTable.Column) -> Place? {
    column.names.lazy.compactMap { name, factor in
      header.firstIndex(of: name).map { Place(field: $0, factor: factor, most: column.most) }
    }.first
  }

  func require(_ column: GetStatsTable.Column) throws(CallRecordError) -> Place {
    guard let place = place(of: column) else {
      throw error("there is no column '\(column.names.map(\.name).joined(separator: "' or '"))'")
    }
    return place
  }

  func name(of place: Place) -> String { header[place.field] }

  mutating func next() throws(CallRecordError) -> Bool {
    do throws(CSVError) {
      guard try reader.next() else { return false }
    } catch {
      throw CallRecordError(path: path, line: error.line, text: error.description)
    }
    guard reader.fieldCount == header.count else {
      throw error("\(reader.fieldCount) fields where the header has \(header.count)")
    }
    return true
  }

  /// Parses a field in our unit; `nil` for an absent column, an empty field, and `None`, as written by Python.
  func number(_ place: Place?) throws(CallRecordError) -> Double? {
    guard let place else { return nil }
    let text = String(decoding: reader.raw(place.field), as: UTF8.self)
    if text.isEmpty || text == "None" { return nil }
    guard let value = Double(text), value.isFinite else {
      throw error("\(header[place.field]): '\(text)' is not a number")
    }
    let name = header[place.field]
    // Browsers count duplicates as negative losses.
    let least = name == "lost" || name == "packetsLost" ? -place.most : 0
    guard (least...place.most).contains(value * place.factor) else {
      throw error("\(name): '\(text)' is out of range: from 0 to \(Int(place.most / place.factor))")
    }
    return value * place.factor
  }

  func check(_ now: Double, after last: Double?) throws(CallRecordError) {
    guard now <= CallRecord.longest else { throw error("a call of more than 7200 s cannot be imported") }
    guard let last else { return }
    guard now > last else { throw error("time \(now) s after \(last) s: sort the rows by time") }
    guard now <= last + CallRecord.longestGap else {
      throw error("time \(now) s after \(last) s: at most 10 s may be missing; import the parts one by one")
    }
  }

  func checkLength(_ record: CallRecord) throws(CallRecordError) {
    guard let first = record.samples.first, let last = record.samples.last,
      last.time - first.time >= CallRecord.shortest - 1
    else { throw CallRecordError(path: path, text: "a call must last at least 10 s") }
    guard record.samples.contains(where: { $0.estimate != nil }) else {
      throw CallRecordError(path: path, text: "the estimate has no values")
    }
  }

  func error(_ text: String) -> CallRecordError {
    CallRecordError(path: path, line: reader.line, text: text)
  }
}
