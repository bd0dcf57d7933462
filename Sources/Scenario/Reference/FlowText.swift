import JSON

/// Writes values as YAML, in flow style below the first level.
enum FlowText {
  /// Formats a value on one line.
  static func text(of value: JSONValue) -> String {
    switch value {
    case .text(let text): text.isEmpty ? "\"\"" : FlowYAML.quoted(text)
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .flag(let value): "\(value)"
    case .null: "null"
    case .list(let values): "[" + values.map { text(of: $0) }.joined(separator: ", ") + "]"
    case .object(let entries):
      "{" + entries.map { "\(FlowYAML.quoted($0.0)): \(text(of: $0.1))" }.joined(separator: ", ") + "}"
    }
  }

  /// Formats a document; lists of mappings, and values too long for one line, get one line per element.
  static func document(_ entries: [(String, JSONValue)], indent: String = "") -> String {
    entries.map { key, value in
      let line = "\(indent)\(FlowYAML.quoted(key)): \(text(of: value))"
      switch value {
      case .list(let elements) where elements.contains { !$0.entries.isEmpty }:
        return "\(indent)\(FlowYAML.quoted(key)):\n"
          + elements.map { "\(indent)  - \(text(of: $0))\n" }.joined()
      case .object(let inner) where line.count > 100:
        return "\(indent)\(FlowYAML.quoted(key)):\n" + document(inner, indent: indent + "  ")
      default: return line + "\n"
      }
    }.joined()
  }
}
