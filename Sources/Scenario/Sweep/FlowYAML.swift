import YAML

/// Writes YAML in flow style, on one line.
enum FlowYAML {
  /// Formats a node; parsing the text yields an equal node.
  static func text(of node: Node) -> String {
    switch node {
    case .scalar(let scalar): quoted(scalar.string)
    case .sequence(let sequence): "[" + sequence.map { text(of: $0) }.joined(separator: ", ") + "]"
    case .mapping(let mapping):
      "{" + mapping.map { "\(text(of: $0.key)): \(text(of: $0.value))" }.joined(separator: ", ") + "}"
    }
  }

  /// Formats a text as a scalar, quoted where it would be parsed differently.
  static func quoted(_ text: String) -> String {
    let isPlain =
      (text.utf8.first.map { isWord($0) } ?? false || Double(text)?.isFinite == true)
      && text.utf8.allSatisfy { isWord($0) || " ./%+-_".utf8.contains($0) } && text.utf8.last != 0x20
    guard !isPlain else { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        let digits = String(scalar.value, radix: 16)
        result += "\\x" + String(repeating: "0", count: 2 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
  }
}
