/// A JSON value with its position in a text, for messages that point to it.
package struct PlacedJSON {
  package enum Content {
    case object([(name: String, value: PlacedJSON)])
    case list([PlacedJSON])
    /// A number, text, flag or null.
    case scalar(JSONValue)
  }

  package let content: Content
  /// Offset of its first byte.
  package let offset: Int

  /// Reads a text that consists of one value.
  package init(_ bytes: [UInt8]) throws(JSONDefect) {
    var reader = JSONReader(bytes)
    self = try PlacedJSON(from: &reader)
    guard reader.isAtEnd else { throw reader.trailing }
  }

  /// Reads the next value.
  package init(from reader: inout JSONReader) throws(JSONDefect) {
    let isObject = reader.startsObject
    let isList = reader.startsArray
    offset = reader.offset
    if isObject {
      var members: [(name: String, value: PlacedJSON)] = []
      try reader.object { (name, reader) throws(JSONDefect) in
        members.append((name, try PlacedJSON(from: &reader)))
      }
      content = .object(members)
    } else if isList {
      var elements: [PlacedJSON] = []
      try reader.array { (reader) throws(JSONDefect) in elements.append(try PlacedJSON(from: &reader)) }
      content = .list(elements)
    } else {
      content = .scalar(try reader.value())
    }
  }

  /// Returns the position of its first byte, from 1; columns count characters.
  package func place(in bytes: [UInt8]) -> (line: Int, column: Int) {
    JSONDefect.place(of: offset, in: bytes)
  }

  /// Member of an object; `nil` if there is none, and for other values.
  package subscript(_ name: String) -> PlacedJSON? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.name == name }?.value
  }

  package var elements: [PlacedJSON]? { if case .list(let elements) = content { elements } else { nil } }
  package var number: Double? { if case .scalar(let value) = content { value.number } else { nil } }
  package var text: String? { if case .scalar(let value) = content { value.text } else { nil } }
  package var flag: Bool? {
    if case .scalar(.flag(let flag)) = content { flag } else { nil }
  }
}
