/// Reason why a table is not valid RFC 4180 CSV.
package struct CSVError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Line on which the record begins, from 1.
  package let line: Int
  package let description: String

  package init(line: Int, description: String) {
    self.line = line
    self.description = description
  }
}

/// Reads an RFC 4180 table record by record, in memory that does not grow with the table.
///
/// Lines may end in LF or CRLF; empty lines and a byte order mark are skipped.
package struct CSVReader {
  private let bytes: [UInt8]
  private let separator: UInt8
  private var place: Int
  /// Offset at which the current record begins.
  private var start = 0
  private var nextLine = 1
  /// Byte range of each field, without the enclosing quotes.
  private var fields: [(range: Range<Int>, isQuoted: Bool)] = []
  /// Line on which the current record begins, from 1.
  package private(set) var line = 1

  /// - Parameter separator: byte between fields.
  package init(_ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ",")) {
    self.bytes = bytes
    self.separator = separator
    place = bytes.hasByteOrderMark ? 3 : 0
  }

  /// Number of fields in the current record.
  package var fieldCount: Int { fields.count }

  /// Reads the next record.
  ///
  /// - Returns: `false` at the end of the table.
  /// - Throws: ``CSVError`` for a quoted field that does not end, or that continues after its closing quote.
  package mutating func next() throws(CSVError) -> Bool {
    fields.removeAll(keepingCapacity: true)
    while place < bytes.count, endOfLine(at: place) > 0 {
      place += endOfLine(at: place)
      nextLine += 1
    }
    line = nextLine
    start = place
    guard place < bytes.count else { return false }
    while true {
      if place < bytes.count, bytes[place] == 0x22 { try readQuoted() } else { readPlain() }
      guard place < bytes.count else { return true }
      let end = endOfLine(at: place)
      if end > 0 {
        place += end
        nextLine += 1
        return true
      }
      place += 1
    }
  }

  /// Returns a field's raw bytes, with quotes still doubled.
  package func raw(_ field: Int) -> ArraySlice<UInt8> { bytes[fields[field].range] }

  /// Returns the bytes from the start of one field to the end of another, commas included.
  package func raw(_ first: Int, through last: Int) -> ArraySlice<UInt8> {
    bytes[fields[first].range.lowerBound..<fields[last].range.upperBound]
  }

  /// Returns the column at which a field begins, from 1, counted in characters from the beginning of its record.
  package func column(of field: Int) -> Int {
    let (range, isQuoted) = fields[field]
    return 1 + String(decoding: bytes[start..<range.lowerBound - (isQuoted ? 1 : 0)], as: UTF8.self).count
  }

  /// Decodes a field's text.
  ///
  /// - Throws: ``CSVError`` if it is not UTF-8.
  package func text(_ field: Int) throws(CSVError) -> String {
    var content = raw(field)
    if fields[field].isQuoted, content.contains(0x22) {
      var single: [UInt8] = []
      var isSecond = false
      for byte in content {
        isSecond = byte == 0x22 && !isSecond
        if byte != 0x22 || !isSecond { single.append(byte) }
      }
      content = single[...]
    }
    guard let text = String(validating: content, as: UTF8.self) else {
      throw CSVError(line: line, description: "field \(field + 1) is not UTF-8")
    }
    return text
  }

  private mutating func readPlain() {
    let start = place
    while place < bytes.count, bytes[place] != separator, endOfLine(at: place) == 0 { place += 1 }
    fields.append((start..<place, false))
  }

  private mutating func readQuoted() throws(CSVError) {
    place += 1
    let start = place
    while place < bytes.count {
      if bytes[place] == 0x22 {
        guard place + 1 < bytes.count, bytes[place + 1] == 0x22 else { break }
        place += 1
      } else if bytes[place] == 0x0a {
        nextLine += 1
      }
      place += 1
    }
    guard place < bytes.count else {
      throw CSVError(line: line, description: "field \(fields.count + 1) has no closing quote")
    }
    fields.append((start..<place, true))
    place += 1
    guard place == bytes.count || bytes[place] == separator || endOfLine(at: place) > 0 else {
      throw CSVError(line: line, description: "field \(fields.count) continues after its closing quote")
    }
  }

  /// Returns the length of the line ending at a position; 0 if there is none.
  private func endOfLine(at place: Int) -> Int {
    if bytes[place] == 0x0a { return 1 }
    return bytes[place] == 0x0d && place + 1 < bytes.count && bytes[place + 1] == 0x0a ? 2 : 0
  }
}

extension CSVReader {
  /// Reads the next record as strings; `nil` at the end of the table.
  ///
  /// - Throws: ``CSVError`` for a table that is not RFC 4180 in UTF-8.
  package mutating func record() throws(CSVError) -> [String]? {
    guard try next() else { return nil }
    var record: [String] = []
    record.reserveCapacity(fieldCount)
    for field in 0..<fieldCount { record.append(try text(field)) }
    return record
  }

  /// Parses every record of a table as strings, including the header.
  ///
  /// - Throws: ``CSVError`` for a table that is not RFC 4180 in UTF-8.
  package static func records(of bytes: [UInt8]) throws(CSVError) -> [[String]] {
    var reader = CSVReader(bytes)
    var records: [[String]] = []
    while let record = try reader.record() { records.append(record) }
    return records
  }
}
