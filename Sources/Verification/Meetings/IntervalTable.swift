/// A result table with a row per interval and name; columns are parsed on demand, since few are needed.
struct IntervalTable: Sendable {
  private static let comma = UInt8(ascii: ",")

  private let bytes: [UInt8]
  private let header: [String]
  /// Offset of each interval's row, by name; `nil` for intervals without one.
  private let rows: [String: [Int?]]

  /// - Parameters:
  ///   - text: a result table whose names contain neither commas nor quotes.
  ///   - keys: columns that form the name, joined by spaces.
  ///   - interval: length of an interval [s].
  ///   - count: number of intervals.
  init(_ text: String, keys: [String], interval: Double, count: Int) {
    let bytes = Array(text.utf8)
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    let header = lines.first.map {
      $0.split(separator: Self.comma).map { String(decoding: $0, as: UTF8.self) }
    }
    self.bytes = bytes
    self.header = header ?? []
    func place(of column: String) -> Int {
      guard let place = header?.firstIndex(of: column) else {
        preconditionFailure("a result table has no column \(column)")
      }
      return place
    }
    let columns = keys.map(place)
    let time = place(of: "time_s")
    var rows: [String: [Int?]] = [:]
    for line in lines.dropFirst() {
      let name = columns.map { String(decoding: Self.field($0, of: line), as: UTF8.self) }
        .joined(separator: " ")
      let end = Self.number(Self.field(time, of: line)) ?? 0
      // A shorter last interval has an index of its own; times are rounded to milliseconds.
      let place = Int((end / interval - 1e-3).rounded(.up)) - 1
      guard place >= 0, place < count else { continue }
      rows[name, default: Array(repeating: nil, count: count)][place] = line.startIndex
    }
    self.rows = rows
  }

  /// Returns one value per interval, `nil` where there is none; empty for an unknown name or column.
  func column(_ name: String, _ column: String) -> [Double?] {
    guard let rows = rows[name], let place = header.firstIndex(of: column) else { return [] }
    return rows.map { $0.flatMap { Self.number(Self.field(place, of: bytes[$0...])) } }
  }

  /// Returns a field of the row at the start of a slice.
  private static func field(_ number: Int, of row: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var start = row.startIndex
    for _ in 0..<number {
      while start < row.endIndex, row[start] != comma { start += 1 }
      start += 1
    }
    var end = start
    while end < row.endIndex, row[end] != comma, row[end] != UInt8(ascii: "\n") { end += 1 }
    return start < end ? row[start..<end] : []
  }

  private static func number(_ field: ArraySlice<UInt8>) -> Double? {
    field.isEmpty ? nil : Double(String(decoding: field, as: UTF8.self))
  }
}
