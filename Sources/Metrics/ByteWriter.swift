/// Writes text as bytes without creating strings; a number takes about ten nanoseconds.
///
/// The writer owns its memory and cannot be copied, so that writing a byte needs no uniqueness check.
package struct ByteWriter: ~Copyable {
  private var storage: UnsafeMutablePointer<UInt8>
  private var capacity = 1 << 16
  package private(set) var count = 0

  package init() { storage = .allocate(capacity: capacity) }

  deinit { storage.deallocate() }

  /// Bytes written so far.
  package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: storage, count: count)) }

  /// Discards the bytes written and keeps the capacity.
  package mutating func removeAll() { count = 0 }

  @inline(__always)
  private mutating func makeRoom(_ length: Int) {
    if capacity - count < length { grow(length) }
  }

  @inline(never)
  private mutating func grow(_ length: Int) {
    capacity += max(length, capacity)
    let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    grown.update(from: storage, count: count)
    storage.deallocate()
    storage = grown
  }

  @inline(__always)
  package mutating func byte(_ byte: UInt8) {
    makeRoom(1)
    storage[count] = byte
    count += 1
  }

  private mutating func raw(_ text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress else { return }
    makeRoom(text.count)
    (storage + count).update(from: start, count: text.count)
    count += text.count
  }

  package mutating func raw(_ other: [UInt8]) { other.withUnsafeBufferPointer { raw($0) } }

  package mutating func raw(_ text: StaticString) { text.withUTF8Buffer { raw($0) } }

  package mutating func raw(_ text: String) {
    var text = text
    text.withUTF8 { raw($0) }
  }

  /// Appends an integer.
  @inline(__always)
  package mutating func integer(_ value: Int64) {
    if 0..<10 ~= value {
      byte(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value))
    } else {
      digits(of: value, decimals: -1)
    }
  }

  /// Appends a decimal number given in units of 10^-`decimals`, with all its decimals.
  package mutating func fixed(_ value: Int64, decimals: Int) { digits(of: value, decimals: decimals) }

  /// Appends digits from last to first, so their number is computed up front; in pairs, which halves the divisions.
  private mutating func digits(of value: Int64, decimals: Int) {
    var rest = value.magnitude
    let number = Self.digitCount(rest)
    let length = (decimals < 0 ? number : max(number, decimals + 1) + 1) + (value < 0 ? 1 : 0)
    makeRoom(length)
    let start = storage + count
    var place = start + length
    if decimals >= 0 {
      var left = decimals
      while left >= 2 {
        place -= 2
        Self.writePair(rest % 100, to: place)
        rest /= 100
        left -= 2
      }
      if left == 1 {
        place -= 1
        place.pointee = Self.digit(rest % 10)
        rest /= 10
      }
      place -= 1
      place.pointee = UInt8(ascii: ".")
    }
    while rest >= 100 {
      place -= 2
      Self.writePair(rest % 100, to: place)
      rest /= 100
    }
    if rest >= 10 {
      Self.writePair(rest, to: place - 2)
    } else {
      (place - 1).pointee = Self.digit(rest)
    }
    if value < 0 { start.pointee = UInt8(ascii: "-") }
    count += length
  }

  @inline(__always)
  private static func digit(_ value: UInt64) -> UInt8 {
    UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value)
  }

  @inline(__always)
  private static func writePair(_ pair: UInt64, to place: UnsafeMutablePointer<UInt8>) {
    let tens = (pair * 103) >> 10
    place[0] = digit(tens)
    place[1] = digit(pair - 10 * tens)
  }

  private static func digitCount(_ value: UInt64) -> Int {
    var count = 1
    var rest = value
    while rest >= 1000 {
      rest /= 1000
      count += 3
    }
    return count + (rest >= 100 ? 2 : rest >= 10 ? 1 : 0)
  }

  /// Appends a string as an RFC 4180 field, quoted where necessary.
  ///
  /// A text that a spreadsheet would interpret as a formula, beginning with `=`, `+`, `-`, `@`, a tab or a carriage
  /// return, gets a leading apostrophe; numbers are left unchanged.
  package mutating func field(_ text: String) {
    let text = Self.isFormula(text) ? "'" + text : text
    let needsQuotes = text.utf8.contains { $0 == 0x22 || $0 == 0x2c || $0 == 0x0a || $0 == 0x0d }
    guard needsQuotes else {
      raw(text)
      return
    }
    byte(0x22)
    for character in text.utf8 {
      if character == 0x22 { byte(0x22) }
      byte(character)
    }
    byte(0x22)
  }

  private static func isFormula(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count > 1 else { return false }
    switch first {
    case UInt8(ascii: "="), UInt8(ascii: "@"), 0x09, 0x0d: return true
    case UInt8(ascii: "+"), UInt8(ascii: "-"): return Double(text) == nil
    default: return false
    }
  }

  @inline(__always)
  package mutating func comma() { byte(0x2c) }

  @inline(__always)
  package mutating func newline() { byte(0x0a) }

  /// Replaces the comma after a row's last field with the end of the line.
  mutating func endRow() { storage[count - 1] = 0x0a }
}
