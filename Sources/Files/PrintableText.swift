/// Text from files and arguments, made safe for a terminal or a CI log.
extension String {
  /// The text on one line, with control characters and invisible directional marks escaped as in `\u{1b}`, and without
  /// anything that CI systems interpret as a command: `::` at the beginning of a line, and `##[`, `##vso[` or
  /// `##teamcity[` anywhere.
  package var printable: String { PrintableText.escape(self, keepsLines: false) }

  /// The text made ``printable`` line by line, with its line ends kept.
  package var printableLines: String { PrintableText.escape(self, keepsLines: true) }
}

private enum PrintableText {
  static func escape(_ text: String, keepsLines: Bool) -> String {
    guard isSuspicious(text, keepsLines) else { return text }
    var result = ""
    var isAtStart = true
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if keepsLines, scalar == "\n" {
        isAtStart = true
        result.unicodeScalars.append(scalar)
        continue
      }
      let isCommand =
        isAtStart && scalar == ":" && rest.first == ":"
        || scalar == "#" && ["#[", "#vso[", "#teamcity["].contains { rest.starts(with: $0.unicodeScalars) }
      isAtStart = isAtStart && (scalar.properties.isWhitespace || mustBeEscaped(scalar))
      if isCommand || mustBeEscaped(scalar) {
        result += escaped(scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Finds texts that may need escaping; most need no change.
  private static func isSuspicious(_ text: String, _ keepsLines: Bool) -> Bool {
    var previous: UInt8 = 0
    for byte in text.utf8 {
      // Anything beyond ASCII may be a C1 control or a directional mark.
      if byte < 0x20 && !(keepsLines && byte == 0x0a) || byte >= 0x7f { return true }
      if byte == previous, byte == 0x3a || byte == 0x23 { return true }
      previous = byte
    }
    return false
  }

  /// C0 and C1 controls, line and paragraph separators, and marks that reorder or hide text (Unicode, Cf).
  private static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0xad, 0x61c, 0x180e, 0x200b, 0x200e...0x200f, 0x2028...0x202e,
      0x2060...0x206f,
      0xfeff, 0xfff9...0xfffb, 0xe0000...0xe007f:
      true
    default: false
    }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16))}"
    }
  }
}
