/// Text as bytes, written without making strings: a number costs some tens of nanoseconds.
package struct ByteWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() { bytes.reserveCapacity(1 << 16) }

  package var count: Int { bytes.count }

  /// Forgets what was written and keeps the room.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  @inline(__always)
  package mutating func byte(_ byte: UInt8) { bytes.append(byte) }

  package mutating func raw(_ other: [UInt8]) { bytes.append(contentsOf: other) }

  package mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  package mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// A whole number.
  package mutating func integer(_ value: Int64) { digits(of: value, decimals: -1) }

  /// A real number given in units of 10^-`decimals`, with its point and all its decimals.
  package mutating func fixed(_ value: Int64, decimals: Int) { digits(of: value, decimals: decimals) }

  /// Digits are made from the last one on, so they are kept aside until the first is known.
  private mutating func digits(of value: Int64, decimals: Int) {
    var digits = InlineArray<24, UInt8>(repeating: 0)
    var place = 24
    var rest = value.magnitude
    var written = 0
    repeat {
      if written == decimals {
        place -= 1
        digits[place] = UInt8(ascii: ".")
      }
      place -= 1
      digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
      written += 1
    } while rest > 0 || written <= decimals
    if value < 0 {
      place -= 1
      digits[place] = UInt8(ascii: "-")
    }
    while place < 24 {
      bytes.append(digits[place])
      place += 1
    }
  }

  /// A text as an RFC 4180 field, quoted where it must be.
  package mutating func field(_ text: String) {
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

  @inline(__always)
  package mutating func comma() { byte(0x2c) }

  @inline(__always)
  package mutating func newline() { byte(0x0a) }
}
