import ArgumentParser
import Scenario
import Sweep

/// A variant as written in an option: `LABEL: PATH=VALUE; PATH=VALUE`, or `PATH: VALUE` as in a file. Without a label,
/// the settings serve as the label.
struct VariantText {
  let variant: Variant

  /// - Throws: `ValidationError` for a text without a setting.
  init(_ text: String) throws {
    var label = text
    var assignments = text[...]
    if let colon = text.firstRange(of: ": "), colon.lowerBound > text.startIndex,
      !text[..<colon.lowerBound].contains("="), Self.setting(text[colon.upperBound...]) != nil
    {
      (label, assignments) = (String(text[..<colon.lowerBound]), text[colon.upperBound...])
    }
    let settings = try Self.parts(of: assignments).map { part in
      guard let setting = Self.setting(part) else {
        throw ValidationError(
          "--with '\(text)' is not 'LABEL: PATH=VALUE', such as 'narrow: links.home.capacity=1 Mbps'")
      }
      return Override(setting, origin: .option("--with"))
    }
    variant = Variant(label: label, settings: settings)
  }

  /// Returns a setting as `PATH=VALUE`; `nil` for a text that does not begin with a path.
  private static func setting(_ text: Substring) -> String? {
    let text = text.drop { $0 == " " }
    guard let sign = text.firstIndex(where: { $0 == "=" || $0 == ":" }), sign > text.startIndex,
      text.first != "[", !text[..<sign].contains(where: { " {}\"'".contains($0) })
    else { return nil }
    let value = text[text.index(after: sign)...]
    if text[sign] == "=" { return String(text) }
    return value.first == " " ? "\(text[..<sign])=\(value.drop { $0 == " " })" : nil
  }

  /// Splits settings at semicolons outside of quotes and brackets.
  private static func parts(of text: Substring) -> [Substring] {
    var ends: [String.Index] = []
    var depth = 0
    var quote: Character?
    for place in text.indices {
      let character = text[place]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if "[{".contains(character) {
        depth += 1
      } else if "]}".contains(character) {
        depth -= 1
      } else if character == ";", depth == 0 {
        ends.append(place)
      }
    }
    var start = text.startIndex
    return (ends + [text.endIndex]).map { end in
      defer { if end < text.endIndex { start = text.index(after: end) } }
      return text[start..<end]
    }
  }
}

extension Variant {
  /// Indicates whether a setting changes what somebody sees, such as the size of a tile.
  var changesViews: Bool {
    settings.contains { setting in
      let path = setting.text.prefix { $0 != "=" }
      return path.hasPrefix("participants") && path.split(separator: ".").contains("view")
    }
  }
}
