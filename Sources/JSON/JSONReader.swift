/// A defect in a JSON text, at the first invalid byte.
package struct JSONDefect: Error {
  /// Number of bytes before the defect.
  package let offset: Int
  /// Description of the defect.
  package let text: String

  package init(offset: Int, text: String) {
    self.offset = offset
    self.text = text
  }

  /// Returns the position, from 1; columns count characters.
  package func place(in bytes: [UInt8]) -> (line: Int, column: Int) { Self.place(of: offset, in: bytes) }

  static func place(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
    let before = bytes[..<min(offset, bytes.count)]
    let start = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    // In UTF-8, all bytes of a scalar except the first begin with the bits 10.
    return (before.count { $0 == 0x0a } + 1, before[start...].count { $0 & 0xc0 != 0x80 } + 1)
  }
}

/// Reads JSON in order: values whole, or objects and arrays member by member, so that unneeded values are never built.
///
/// `NaN` and infinities, as written by Python, are null.
package struct JSONReader {
  /// Maximum nesting depth; statistics have fewer than ten levels.
  private static let deepest = 64

  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Indicates whether only white space is left.
  package var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return place == bytes.count
    }
  }

  /// Position of the next byte.
  package var offset: Int { place }

  /// Reads the next value.
  package mutating func value() throws(JSONDefect) -> JSONValue {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"):
      var members: [(String, JSONValue)] = []
      try object { (name, reader) throws(JSONDefect) in
        members.append((name, try reader.value()))
      }
      return .object(members)
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      try array { (reader) throws(JSONDefect) in elements.append(try reader.value()) }
      return .list(elements)
    case UInt8(ascii: "\""): return .text(try string())
    default: return try word()
    }
  }

  /// Skips the next value.
  package mutating func skip() throws(JSONDefect) {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): try object { (_, reader) throws(JSONDefect) in try reader.skip() }
    case UInt8(ascii: "["): try array { (reader) throws(JSONDefect) in try reader.skip() }
    case UInt8(ascii: "\""): _ = try endOfString()
    default: _ = try word()
    }
  }

  /// Indicates whether an object comes next.
  package var startsObject: Bool {
    mutating get {
      skipSpace()
      return next == UInt8(ascii: "{")
    }
  }

  /// Indicates whether an array comes next.
  package var startsArray: Bool {
    mutating get {
      skipSpace()
      return next == UInt8(ascii: "[")
    }
  }

  /// Reads the next value, an object; `body` must read each member's value.
  package mutating func object(
    _ body: (String, inout JSONReader) throws(JSONDefect) -> Void
  ) throws(JSONDefect) {
    try sequence(from: "{", to: "}") { (reader) throws(JSONDefect) in
      guard reader.next == UInt8(ascii: "\"") else { throw reader.defect("a key in quotation marks") }
      let name = try reader.string()
      reader.skipSpace()
      guard reader.next == UInt8(ascii: ":") else { throw reader.defect("':'") }
      reader.place += 1
      try body(name, &reader)
    }
  }

  /// Reads the next value, an array; `body` must read each element.
  package mutating func array(_ body: (inout JSONReader) throws(JSONDefect) -> Void) throws(JSONDefect) {
    try sequence(from: "[", to: "]", body)
  }

  private mutating func sequence(
    from opening: Unicode.Scalar, to closing: Unicode.Scalar,
    _ body: (inout JSONReader) throws(JSONDefect) -> Void
  ) throws(JSONDefect) {
    skipSpace()
    guard next == UInt8(ascii: opening) else { throw defect("'\(opening)'") }
    guard depth < Self.deepest else { throw JSONDefect(offset: place, text: "it is nested too deeply") }
    depth += 1
    place += 1
    skipSpace()
    if next != UInt8(ascii: closing) {
      while true {
        skipSpace()
        try body(&self)
        skipSpace()
        guard next == UInt8(ascii: ",") else { break }
        place += 1
      }
      guard next == UInt8(ascii: closing) else { throw defect("',' or '\(closing)'") }
    }
    place += 1
    depth -= 1
  }

  /// Defect of a text that continues after its value.
  package var trailing: JSONDefect { defect("the end of the file") }

  // MARK: Tokens

  private func defect(_ expected: String) -> JSONDefect {
    JSONDefect(offset: place, text: "\(expected) was expected here")
  }

  /// Next byte; 0 at the end.
  private var next: UInt8 { place < bytes.count ? bytes[place] : 0 }

  private mutating func skipSpace() {
    while place < bytes.count, [0x20, 0x0a, 0x0d, 0x09].contains(bytes[place]) { place += 1 }
  }

  private mutating func word() throws(JSONDefect) -> JSONValue {
    let word = bytes[place...].prefix(while: Self.isPartOfWord)
    guard let first = word.first else { throw defect("a value") }
    let value: JSONValue
    switch String(decoding: word, as: UTF8.self) {
    case "true": value = .flag(true)
    case "false": value = .flag(false)
    case "null", "NaN", "Infinity", "-Infinity": value = .null
    case let text:
      guard first == UInt8(ascii: "-") || Self.isDigit(first), !word.contains(where: Self.isHexadecimal),
        let number = Double(text), number.isFinite
      else {
        throw JSONDefect(offset: place, text: "'\(text.prefix(40))' is no value")
      }
      value = .real(number)
    }
    place += word.count
    return value
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Checks for the prefix letter of hexadecimal numbers, which JSON does not have.
  private static func isHexadecimal(_ byte: UInt8) -> Bool { byte | 0x20 == UInt8(ascii: "x") }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Moves past the next string; returns the range of its content, and whether it has escapes.
  private mutating func endOfString() throws(JSONDefect) -> (content: Range<Int>, isEscaped: Bool) {
    let start = place + 1
    var isEscaped = false
    var end = start
    while end < bytes.count {
      switch bytes[end] {
      case UInt8(ascii: "\""):
        place = end + 1
        return (start..<end, isEscaped)
      case UInt8(ascii: "\\"):
        isEscaped = true
        end += 2
      case 0..<0x20: throw JSONDefect(offset: end, text: "the text before has no end")
      default: end += 1
      }
    }
    throw JSONDefect(offset: start - 1, text: "the text has no end")
  }

  private static func escape(_ offset: Int) -> JSONDefect {
    JSONDefect(offset: offset, text: "the character after '\\' is none that JSON has")
  }

  private mutating func string() throws(JSONDefect) -> String {
    let (content, isEscaped) = try endOfString()
    guard isEscaped else { return String(decoding: bytes[content], as: UTF8.self) }
    var text: [UInt8] = []
    text.reserveCapacity(content.count)
    var at = content.lowerBound
    while at < content.upperBound {
      guard bytes[at] == UInt8(ascii: "\\") else {
        text.append(bytes[at])
        at += 1
        continue
      }
      guard at + 1 < content.upperBound else { throw Self.escape(at) }
      switch bytes[at + 1] {
      case UInt8(ascii: "n"): text.append(0x0a)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "r"): text.append(0x0d)
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0c)
      case UInt8(ascii: "u"):
        let digits = bytes[min(at + 2, content.upperBound)..<min(at + 6, content.upperBound)]
        guard digits.count == 4, let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
          throw Self.escape(at)
        }
        // Half of a surrogate pair belongs to a character outside the basic plane, which statistics' names do not
        // contain.
        text += Array(String(Unicode.Scalar(unit).map(Character.init) ?? "\u{fffd}").utf8)
        at += 4
      case let other: text.append(other)
      }
      at += 2
    }
    return String(decoding: text, as: UTF8.self)
  }
}
