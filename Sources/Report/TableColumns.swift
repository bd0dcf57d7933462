import Files
import Metrics
import ResultReading

/// Columns of a result table, read whole.
struct TableColumns {
  /// Values of a column, one per row.
  enum Values {
    /// NaN for a missing value.
    case numbers([Double])
    /// Indices into the words, which are in order of first appearance; -1 for a missing value.
    case words([Int], [String])
  }

  private(set) var names: [String] = []
  private var values: [String: Values] = [:]
  let rows: Int

  init(rows: Int) { self.rows = rows }

  /// Reads a table of a run.
  ///
  /// - Returns: `nil` if the directory does not have it, or it has no rows.
  /// - Throws: ``ResultReadingError`` if it is malformed, or lacks one of the needed columns.
  static func read(
    _ table: ResultTable, in directory: String, needed: [String]
  ) throws(ResultReadingError) -> TableColumns? {
    let path = StoredTable.path(of: directory + "/" + table.fileName)
    guard Directory.exists(path) else { return nil }
    var reader = try ColumnReader(path: path)
    for name in needed { _ = try reader.index(of: name) }
    let texts = Set(table.columns.filter { $0.type == .string }.map(\.name))
    let places = reader.header.indices.filter { reader.header[$0] != "run_id" }
    var numbers = [[Double]](repeating: [], count: places.count)
    var words = [WordList](repeating: WordList(), count: places.count)
    var rows = 0
    while try reader.next() {
      rows += 1
      for (column, place) in places.enumerated() {
        if texts.contains(reader.header[place]) {
          if words[column].addKnown(reader.record.raw(place)) { continue }
          words[column].add(reader.record.raw(place), try reader.text(place))
        } else {
          if let value = decimal(reader.record.raw(place)) {
            numbers[column].append(value)
          } else {
            numbers[column].append(try reader.number(place) ?? .nan)
          }
        }
      }
    }
    guard rows > 0 else { return nil }
    var columns = TableColumns(rows: rows)
    for (column, place) in places.enumerated() {
      let name = reader.header[place]
      columns[name] = texts.contains(name) ? words[column].values : .numbers(numbers[column])
    }
    return columns
  }

  /// Values of a column; setting a missing column appends it.
  subscript(name: String) -> Values? {
    get { values[name] }
    set {
      if values[name] == nil, newValue != nil { names.append(name) }
      values[name] = newValue
    }
  }

  func has(_ name: String) -> Bool { values[name] != nil }

  /// Values of a column of numbers; NaN for all rows if there is none.
  func numbers(_ name: String) -> [Double] {
    if case .numbers(let numbers)? = values[name] { return numbers }
    return [Double](repeating: .nan, count: rows)
  }

  /// Values of a column of words; "" for a missing one, and for all rows if there is no such column.
  func texts(_ name: String) -> [String] {
    guard case .words(let places, let words)? = values[name] else {
      return [String](repeating: "", count: rows)
    }
    return places.map { $0 < 0 ? "" : words[$0] }
  }

  /// Parses a decimal whose digits fit a Double, which is then exact; `nil` for any other text.
  private static func decimal(_ bytes: ArraySlice<UInt8>) -> Double? {
    guard !bytes.isEmpty, bytes.count <= 16 else { return nil }
    var mantissa = 0
    var decimals = -1
    for byte in bytes {
      if byte == UInt8(ascii: "."), decimals < 0 {
        decimals = 0
      } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        mantissa = mantissa * 10 + Int(byte - UInt8(ascii: "0"))
        if decimals >= 0 { decimals += 1 }
      } else {
        return nil
      }
    }
    return Double(mantissa) / powers[max(decimals, 0)]
  }

  private static let powers: [Double] = (0...16).map { count in
    (0..<count).reduce(1.0) { power, _ in power * 10 }
  }
}

/// Words of a column, each decoded once.
private struct WordList {
  private var places: [ArraySlice<UInt8>: Int] = [:]
  private var words: [String] = []
  private var rows: [Int] = []

  var values: TableColumns.Values { .words(rows, words) }

  /// Adds a row whose word is known or missing; returns `false` for a new word.
  mutating func addKnown(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let place = bytes.isEmpty ? -1 : places[bytes] else { return false }
    rows.append(place)
    return true
  }

  mutating func add(_ bytes: ArraySlice<UInt8>, _ word: String) {
    places[bytes] = words.count
    rows.append(words.count)
    words.append(word)
  }
}
