/// A value of a JSON text (RFC 8259) with its place, for files of up to some megabytes.
struct JSONValue {
  enum Content {
    case object([(key: String, value: JSONValue)])
    case array([JSONValue])
    case number(Double)
    case text(String)
    case other
  }

  let content: Content
  /// Offset of its first byte.
  let offset: Int

  subscript(_ key: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  var elements: [JSONValue]? { if case .array(let elements) = content { elements } else { nil } }
  var number: Double? { if case .number(let number) = content { number } else { nil } }
  var text: String? { if case .text(let text) = content { text } else { nil } }
}

/// Defect of a JSON text, at an offset.
struct JSONFailure: Error {
  var offset: Int
  var text: String
}

/// Parser of JSON texts.
struct JSONParser {
  private let bytes: ArraySlice<UInt8>
  private var place: Int
  private var depth = 0

  /// Greatest depth of nesting, which bounds the stack.
  private static let deepest = 64

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  /// Parses a text of one value.
  mutating func document() throws(JSONFailure) -> JSONValue {
    let value = try value()
    skipSpace()
    guard place == bytes.endIndex else { throw failure("the end of the file was expected here") }
    return value
  }

  private func failure(_ text: String) -> JSONFailure { JSONFailure(offset: place, text: text) }
  private var byte: UInt8? { place < bytes.endIndex ? bytes[place] : nil }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { place += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard byte == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  private mutating func value() throws(JSONFailure) -> JSONValue {
    skipSpace()
    let start = place
    guard depth < Self.deepest else { throw failure("it is nested too deeply") }
    depth += 1
    defer { depth -= 1 }
    let content: JSONValue.Content
    switch byte {
    case UInt8(ascii: "{"): content = .object(try members())
    case UInt8(ascii: "["): content = .array(try elements())
    case UInt8(ascii: "\""): content = .text(try string())
    default: content = try word()
    }
    return JSONValue(content: content, offset: start)
  }

  private mutating func members() throws(JSONFailure) -> [(key: String, value: JSONValue)] {
    place += 1
    var members: [(key: String, value: JSONValue)] = []
    if take("}") { return members }
    repeat {
      skipSpace()
      guard byte == UInt8(ascii: "\"") else { throw failure("a key in quotation marks was expected here") }
      let key = try string()
      guard take(":") else { throw failure("':' was expected here") }
      members.append((key, try value()))
    } while take(",")
    guard take("}") else { throw failure("',' or '}' was expected here") }
    return members
  }

  private mutating func elements() throws(JSONFailure) -> [JSONValue] {
    place += 1
    var elements: [JSONValue] = []
    if take("]") { return elements }
    repeat { elements.append(try value()) } while take(",")
    guard take("]") else { throw failure("',' or ']' was expected here") }
    return elements
  }

  /// Returns the text of a string, with escapes as they are: keys of traces have none.
  private mutating func string() throws(JSONFailure) -> String {
    place += 1
    let start = place
    while let byte, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw failure("the text before has no end") }
      place += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    guard place < bytes.endIndex else { throw JSONFailure(offset: start - 1, text: "the text has no end") }
    defer { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func word() throws(JSONFailure) -> JSONValue.Content {
    let start = place
    while let byte, byte > 0x20, byte != 0x2c, byte != 0x3a, byte != 0x5d, byte != 0x7d { place += 1 }
    let word = String(decoding: bytes[start..<place], as: UTF8.self)
    // Python writes NaN.
    if ["true", "false", "null", "NaN"].contains(word) { return .other }
    let isNumber = word.utf8.first.map { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) } ?? false
    guard isNumber, let number = Double(word), number.isFinite else {
      throw JSONFailure(
        offset: start, text: word.isEmpty ? "a value was expected here" : "'\(word.prefix(40))' is no value")
    }
    return .number(number)
  }
}
