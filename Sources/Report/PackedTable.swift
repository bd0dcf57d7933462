import Files
import JSON

/// A table in a compact form that the page's `columns.js` reads back exactly.
///
/// A column is a run of unsigned integers: 0 for a missing value, and n for the (n - 1)th word or for the number (low +
/// (n - 1) × step) / scale. Columns that never fall hold differences. The bytes of each column are stored in planes,
/// lowest first, because adjacent equal bytes compress well. Numbers that are not short decimals are IEEE 754: eight
/// consecutive bytes or, for values that a page only draws, four in planes. The columns follow each other in one gzip
/// stream, in base64.
struct PackedTable {
  private let rows: [Int]
  private var columns: [JSONValue] = []
  private var bytes: [UInt8] = []

  /// - Parameter rows: rows of the source columns to pack, in the order of the table.
  init(rows: [Int]) { self.rows = rows }

  /// Table as a value for the page.
  var json: JSONValue {
    let compressor = GzipCompressor()
    var compressed = compressor.compress(bytes)
    compressed += compressor.finish()
    return .object([
      ("rows", .integer(Int64(rows.count))), ("columns", .list(columns)),
      ("data", .text(Base64.text(of: compressed))),
    ])
  }

  /// Packs columns of a table.
  mutating func add(_ table: TableColumns, _ names: [String]) {
    for name in names {
      switch table[name] {
      case .numbers(let numbers)?: add(name, numbers: numbers)
      case .words(let places, let words)?: add(name, places: places, words: words)
      case nil: continue
      }
    }
  }

  mutating func add(_ name: String, places: [Int], words: [String]) {
    // Only the words that occur in these rows, in order of first appearance.
    var known: [Int: Int] = [:]
    var own: [String] = []
    let stored = rows.map { row -> UInt32 in
      let place = places[row]
      guard place >= 0 else { return 0 }
      if known[place] == nil {
        known[place] = own.count
        own.append(words[place])
      }
      return UInt32(known[place, default: 0] + 1)
    }
    append(name, [("words", .list(own.map(JSONValue.text)))], planesOf: stored)
  }

  /// - Parameter isDrawn: allows single precision for values that are not short decimals.
  mutating func add(_ name: String, numbers: [Double], isDrawn: Bool = false) {
    let values = rows.map { numbers[$0] }
    let known = values.filter { !$0.isNaN }
    guard !known.isEmpty else {
      columns.append(.object([("name", .text(name)), ("bytes", .integer(0))]))
      return
    }
    guard let steps = Steps(known) else {
      return isDrawn ? addSingle(name, values) : addRaw(name, values)
    }
    var stored = values.map { $0.isNaN ? 0 : steps.index(of: $0) + 1 }
    var entries: [(String, JSONValue)] = [
      ("low", .integer(steps.low)), ("step", .integer(steps.step)), ("scale", .integer(steps.scale)),
    ]
    if stored.count > 1, known.count == values.count, zip(stored, stored.dropFirst()).allSatisfy({ $0 <= $1 })
    {
      entries.append(("differences", .flag(true)))
      stored = [stored[0]] + zip(stored.dropFirst(), stored).map { $0 - $1 }
    }
    append(name, entries, planesOf: stored.map { UInt32($0) })
  }

  private mutating func addRaw(_ name: String, _ values: [Double]) {
    columns.append(.object([("name", .text(name)), ("bytes", .integer(8))]))
    for value in values {
      for byte in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64(byte)))) }
    }
  }

  private mutating func addSingle(_ name: String, _ values: [Double]) {
    columns.append(.object([("name", .text(name)), ("bytes", .integer(4)), ("float", .flag(true))]))
    append(planes: 4, of: values.map { Float($0).bitPattern })
  }

  /// Appends integers in the fewest planes that hold all of them.
  private mutating func append(
    _ name: String, _ entries: [(String, JSONValue)], planesOf stored: [UInt32]
  ) {
    let largest = stored.max() ?? 0
    let width = largest < 1 << 8 ? 1 : largest < 1 << 16 ? 2 : 4
    columns.append(.object([("name", .text(name))] + entries + [("bytes", .integer(Int64(width)))]))
    append(planes: width, of: stored)
  }

  private mutating func append(planes count: Int, of stored: [UInt32]) {
    for plane in 0..<count {
      for value in stored { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt32(plane)))) }
    }
  }
}

/// A grid of short decimals that holds a column's values exactly.
private struct Steps {
  let low: Int64
  let step: Int64
  let scale: Int64

  /// Largest value up to which every integer is exact as a Double.
  private static let exact = 4_503_599_627_370_496.0

  /// `nil` if no scale of up to six decimals holds all values, or the steps are too many for 32 bits.
  init?(_ values: [Double]) {
    var scale = 1.0
    while !values.allSatisfy({ value in
      let whole = (value * scale).rounded(.toNearestOrEven)
      return abs(whole) < Self.exact && whole / scale == value
    }) {
      scale *= 10
      guard scale <= 1_000_000 else { return nil }
    }
    self.scale = Int64(scale)
    let whole = values.map { Int64(($0 * scale).rounded(.toNearestOrEven)) }
    low = whole.min() ?? 0
    var step: Int64 = 0
    for value in whole {
      var (a, b) = (step, value - low)
      while b != 0 { (a, b) = (b, a % b) }
      step = a
    }
    self.step = max(step, 1)
    guard ((whole.max() ?? 0) - low) / self.step < Int64(UInt32.max) - 1 else { return nil }
  }

  func index(of value: Double) -> Int64 {
    (Int64((value * Double(scale)).rounded(.toNearestOrEven)) - low) / step
  }
}

/// Base64 (RFC 4648, section 4).
enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var place = 0
    while place < bytes.count {
      let group = (0..<3).reduce(0) { $0 << 8 | (place + $1 < bytes.count ? Int(bytes[place + $1]) : 0) }
      for digit in 0..<4 {
        text.append(place + digit <= bytes.count ? digits[group >> (18 - 6 * digit) & 63] : UInt8(ascii: "="))
      }
      place += 3
    }
    return String(decoding: text, as: UTF8.self)
  }
}
