/// A JSON value whose keys are written in the order given.
package indirect enum JSONValue: Sendable {
  case text(String)
  case integer(Int64)
  case real(Double)
  case flag(Bool)
  case list([JSONValue])
  case object([(String, JSONValue)])

  /// The value as text, indented by two spaces per level.
  package var description: String { write(indent: "") + "\n" }

  private func write(indent: String) -> String {
    let inner = indent + "  "
    switch self {
    case .text(let text): return Self.quoted(text)
    case .integer(let value): return String(value)
    case .real(let value): return "\(value)"
    case .flag(let value): return "\(value)"
    case .list(let values):
      guard !values.isEmpty else { return "[]" }
      return "[\n" + values.map { inner + $0.write(indent: inner) }.joined(separator: ",\n") + "\n\(indent)]"
    case .object(let entries):
      guard !entries.isEmpty else { return "{}" }
      return "{\n"
        + entries.map { "\(inner)\(Self.quoted($0.0)): \($0.1.write(indent: inner))" }.joined(
          separator: ",\n")
        + "\n\(indent)}"
    }
  }

  /// A JSON string (RFC 8259 section 7).
  private static func quoted(_ text: String) -> String {
    var result = "\""
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
    return result + "\""
  }
}
