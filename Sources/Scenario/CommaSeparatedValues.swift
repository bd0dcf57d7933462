/// Reads CSV as RFC 4180 has it.
package enum CommaSeparatedValues {
  /// Why a table can't be read.
  package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
    package var description: String
  }

  /// Every row with its fields, the header among them; an empty line is no row.
  ///
  /// - Throws: ``Failure`` for a quoted field without end and for bytes that are no UTF-8.
  package static func rows(of bytes: [UInt8]) throws(Failure) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var field: [UInt8] = []
    var place = 0
    var isQuoted = false
    func finished(_ field: [UInt8]) throws(Failure) -> String {
      guard let text = String(validating: field, as: UTF8.self) else {
        throw Failure(description: "row \(rows.count + 1) is not UTF-8")
      }
      return text
    }
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if isQuoted {
        guard byte == 0x22 else {
          field.append(byte)
          continue
        }
        if place < bytes.count, bytes[place] == 0x22 {
          field.append(byte)
          place += 1
        } else {
          isQuoted = false
        }
        continue
      }
      switch byte {
      case 0x22 where field.isEmpty: isQuoted = true
      case 0x2c:
        row.append(try finished(field))
        field = []
      case 0x0d where place < bytes.count && bytes[place] == 0x0a: continue
      case 0x0a:
        if row.isEmpty, field.isEmpty { continue }
        row.append(try finished(field))
        rows.append(row)
        row = []
        field = []
      default: field.append(byte)
      }
    }
    guard !isQuoted else { throw Failure(description: "row \(rows.count + 1): a quoted field has no end") }
    if !row.isEmpty || !field.isEmpty { rows.append(row + [try finished(field)]) }
    return rows
  }
}
