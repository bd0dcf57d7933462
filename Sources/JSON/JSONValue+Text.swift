extension JSONValue {
  /// Value as text, indented by two spaces per level.
  package var description: String {
    var text = ""
    write(to: &text, indent: "")
    return text + "\n"
  }

  /// Value as text without white space.
  package var compact: String {
    var text = ""
    writeCompact(to: &text)
    return text
  }

  private func writeCompact(to result: inout String) {
    switch self {
    case .list(let values):
      result += "["
      for (place, value) in values.enumerated() {
        if place > 0 { result += "," }
        value.writeCompact(to: &result)
      }
      result += "]"
    case .object(let entries):
      result += "{"
      for (place, entry) in entries.enumerated() {
        if place > 0 { result += "," }
        Self.quote(entry.0, to: &result)
        result += ":"
        entry.1.writeCompact(to: &result)
      }
      result += "}"
    default: write(to: &result, indent: "")
    }
  }

  private func write(to result: inout String, indent: String) {
    switch self {
    case .text(let text): Self.quote(text, to: &result)
    case .integer(let value): result += String(value)
    case .real(let value): result += value.description
    case .flag(let value): result += value ? "true" : "false"
    case .null: result += "null"
    case .list(let values):
      Self.write(values, between: ("[", "]"), to: &result, indent: indent) { value, result, inner in
        value.write(to: &result, indent: inner)
      }
    case .object(let entries):
      Self.write(entries, between: ("{", "}"), to: &result, indent: indent) { entry, result, inner in
        Self.quote(entry.0, to: &result)
        result += ": "
        entry.1.write(to: &result, indent: inner)
      }
    }
  }

  /// Appends elements, one per line.
  private static func write<Element>(
    _ elements: [Element], between brackets: (String, String), to result: inout String, indent: String,
    _ write: (Element, inout String, String) -> Void
  ) {
    guard !elements.isEmpty else {
      result += brackets.0 + brackets.1
      return
    }
    let inner = indent + "  "
    var separator = brackets.0 + "\n"
    for element in elements {
      result += separator + inner
      write(element, &result, inner)
      separator = ",\n"
    }
    result += "\n" + indent + brackets.1
  }

  /// Appends a JSON string (RFC 8259 section 7).
  private static func quote(_ text: String, to result: inout String) {
    result += "\""
    defer { result += "\"" }
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") })
    else {
      result += text
      return
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
