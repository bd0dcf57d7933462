import Ladder
import Quantity
import YAML

/// The value of a key, with the mapping around it for messages.
struct Field {
  let node: Node
  let key: String
  let mapping: Fields

  var reading: Reading { mapping.reading }

  /// Reports an error in the value.
  func report(_ message: String) { mapping.report(node, "\(key): \(message)") }

  /// Another value under the same key, such as an element of a list.
  func at(_ other: Node) -> Field { Field(node: other, key: key, mapping: mapping) }

  var text: String? {
    guard case .scalar(let scalar) = node else {
      mapping.report(node, "'\(key)' of \(mapping.subject) must be a single value")
      return nil
    }
    if scalar.style == .plain, ["", "~", "null", "Null", "NULL"].contains(scalar.string) {
      mapping.report(node, "'\(key)' of \(mapping.subject) has no value: add one, or remove the key")
      return nil
    }
    return scalar.string
  }

  /// Text of a value that YAML parses as a number or a Boolean; an error is reported if it is quoted.
  var plainText: String? {
    guard let text else { return nil }
    if case .scalar(let scalar) = node, scalar.style == .singleQuoted || scalar.style == .doubleQuoted {
      report("'\(text)' is a string: remove the quotes")
      return nil
    }
    return text
  }

  /// Text as the name of something.
  var name: Name? { text.map { Name(text: $0, field: self) } }

  /// Elements of a list; empty, with an error reported, for another value.
  var elements: [Field] {
    guard case .sequence(let sequence) = node else {
      let cure = if case .mapping = node { ": write its entries as '- {…}', one below the other" } else { "" }
      mapping.report(node, "'\(key)' of \(mapping.subject) must be a list\(cure)")
      return []
    }
    return sequence.map(at)
  }

  /// Parses a text; an error is reported with the thrown error's description.
  func parse<T, E: Error & CustomStringConvertible>(
    _ text: String, _ read: (String) throws(E) -> T
  ) -> T? {
    do {
      return try read(text)
    } catch {
      report("\(error)")
      return nil
    }
  }

  func integer(in range: ClosedRange<Int>) -> Int? {
    guard let text = plainText else { return nil }
    guard let value = Int(text), range.contains(value) else {
      report("'\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return value
  }

  func number(in range: ClosedRange<Double>) -> Double? {
    guard let text = plainText else { return nil }
    guard let value = Double(decimal: text), range.contains(value) else {
      report("'\(text)' is not a number from \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return value
  }

  var flag: Bool? {
    guard let text = plainText else { return nil }
    // These are the Booleans of YAML 1.2's core schema.
    switch text {
    case "true", "True", "TRUE": return true
    case "false", "False", "FALSE": return false
    default:
      let meant = ["yes": "true", "on": "true", "no": "false", "off": "false"][text.lowercased()]
      report("'\(text)' is neither true nor false\(meant.map { ": write '\($0)'" } ?? "")")
      return nil
    }
  }

  /// Reads one of several keywords.
  func word(among words: [String]) -> String? {
    guard let text, !words.contains(text) else { return text }
    let hint = Suggestion.nearest(to: text, among: words).map { ": did you mean '\($0)'?" } ?? ""
    report("'\(text)' is not one of \(words.joined(separator: ", "))\(hint)")
    return nil
  }

  /// Reads a size in pixels or points, or the name of one.
  ///
  /// - Parameter further: other words that the key accepts, for the message.
  func size(or further: String? = nil) -> Resolution? {
    guard let text else { return nil }
    guard let size = Self.size(in: text) else {
      let others = further.map { ", nor \($0)" } ?? ""
      report("'\(text)' is not a size such as '640x360' or '360p'\(others)")
      return nil
    }
    return size
  }

  /// Parses a size, or the name of one; `nil` for any other text.
  static func size(in text: String) -> Resolution? {
    if let named = Resolution.named.first(where: { $0.name == text }) { return named.resolution }
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int(plain: $0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1], (16...8192).contains(width),
      (16...8192).contains(height)
    else { return nil }
    return Resolution(width: width, height: height)
  }
}

/// A name that refers to something else in the file.
struct Name {
  let text: String
  let field: Field

  func report(_ message: String) { field.report(message) }
}
