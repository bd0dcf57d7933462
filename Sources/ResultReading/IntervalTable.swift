import Files

/// A result table with a row per interval and name; numbers are parsed on demand, since few columns are needed.
package struct IntervalTable: Sendable {
  private let bytes: [UInt8]
  private let header: [String]
  /// Bytes of each field, row after row.
  private let fields: [Range<Int>]
  /// Index of the first field of each interval's row, by name; `nil` for intervals without one.
  private let rows: [String: [Int?]]

  /// - Parameters:
  ///   - bytes: a result table.
  ///   - path: its path, for messages.
  ///   - keys: columns that form the name, joined by spaces.
  ///   - interval: length of an interval [s].
  ///   - count: number of intervals.
  package init(
    _ bytes: [UInt8], path: String, keys: [String], interval: Double, count: Int
  ) throws(ResultReadingError) {
    var reader = try ColumnReader(bytes: bytes, path: path)
    let time = try reader.index(of: "time_s")
    var columns: [Int] = []
    for key in keys { columns.append(try reader.index(of: key)) }
    var fields: [Range<Int>] = []
    var rows: [String: [Int?]] = [:]
    while try reader.next() {
      let end = try reader.number(time) ?? 0
      let place = Self.place(ofEnd: end, interval: interval)
      guard place >= 0, place < count else { continue }
      var name = ""
      for column in columns { name += (name.isEmpty ? "" : " ") + (try reader.text(column)) }
      rows[name, default: Array(repeating: nil, count: count)][place] = fields.count
      for field in reader.header.indices { fields.append(reader.record.raw(field).indices) }
    }
    self.bytes = bytes
    header = reader.header
    self.fields = fields
    self.rows = rows
  }

  /// Returns the index of the interval that ends at a time [s], from 0: intervals begin at multiples of their length, and
  /// the last may be shorter. Times are rounded to milliseconds.
  package static func place(ofEnd end: Double, interval: Double) -> Int {
    Int((end / interval - 1e-3).rounded(.up)) - 1
  }

  /// Returns one value per interval, `nil` for a missing one; empty for an unknown name or column.
  package func column(_ name: String, _ column: String) -> [Double?] {
    guard let rows = rows[name], let place = header.firstIndex(of: column) else { return [] }
    return rows.map { $0.flatMap { Double(String(decoding: bytes[fields[$0 + place]], as: UTF8.self)) } }
  }
}
