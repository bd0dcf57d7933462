import Files

/// A recording's CSV, read row by row with columns found by name.
struct RecordingTable {
  private static let limit = 16_000_000

  private let path: String
  private let header: [String]
  private var reader: CSVReader
  /// Line of the current row, from 1.
  private var line = 1

  /// Opens a file and reads its header.
  init(path: String) throws(RecordingError) {
    do throws(FileError) {
      reader = CSVReader(try FileReader.bytes(of: path, limit: Self.limit))
    } catch {
      throw RecordingError(path: path, line: nil, text: error.description)
    }
    self.path = path
    var names: [String] = []
    do throws(CSVError) {
      guard try reader.next() else { throw CSVError(line: 1, description: "the file is empty") }
      for field in 0..<reader.fieldCount { names.append(try reader.text(field)) }
    } catch {
      throw RecordingError(path: path, line: error.line, text: error.description)
    }
    header = names
  }

  /// Returns the index of the first of several column names that exists.
  func place(of names: [String]) throws(RecordingError) -> Int {
    guard let place = names.lazy.compactMap({ header.firstIndex(of: $0) }).first else {
      throw error("there is no column '\(names.joined(separator: "' or '"))'")
    }
    return place
  }

  /// Checks for a column.
  func has(_ name: String) -> Bool { header.contains(name) }

  func name(of field: Int) -> String { header[field] }

  /// Reads the next row.
  ///
  /// - Returns: `false` at the end of the file.
  mutating func next() throws(RecordingError) -> Bool {
    do throws(CSVError) {
      guard try reader.next() else { return false }
    } catch {
      throw RecordingError(path: path, line: error.line, text: error.description)
    }
    line = reader.line
    guard reader.fieldCount == header.count else {
      throw error("\(reader.fieldCount) fields where the header has \(header.count)")
    }
    return true
  }

  func text(_ field: Int) -> String { String(decoding: reader.raw(field), as: UTF8.self) }

  /// Parses a numeric field; `nil` for an empty field, and for `None` as written by Python.
  func number(_ field: Int) throws(RecordingError) -> Double? {
    let text = text(field)
    if text.isEmpty || text == "None" { return nil }
    guard let value = Double(text), value.isFinite else {
      throw error("\(header[field]): '\(text)' is not a number")
    }
    return value
  }

  /// Parses a required numeric field.
  func value(_ field: Int) throws(RecordingError) -> Double {
    guard let value = try number(field) else { throw error("\(header[field]) has no value") }
    return value
  }

  /// Creates an error about the current row.
  func error(_ text: String) -> RecordingError { RecordingError(path: path, line: line, text: text) }
}
