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
  package mutating func integer(_ value: Int64) {
    if value < 0 { byte(UInt8(ascii: "-")) }
    var rest = value.magnitude
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// A real number given in units of 10^-`decimals`, with its point and all its decimals.
  package mutating func fixed(_ value: Int64, decimals: Int) {
    if value < 0 { byte(UInt8(ascii: "-")) }
    var rest = value.magnitude
    let start = bytes.count
    var written = 0
    repeat {
      if written == decimals { bytes.append(UInt8(ascii: ".")) }
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
      written += 1
    } while rest > 0 || written <= decimals
    bytes[start...].reverse()
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
