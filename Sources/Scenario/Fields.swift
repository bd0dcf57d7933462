import Ladder
package import Quantity
import YAML

/// Entries of a mapping; keys that have not been read by the end are reported as unknown.
final class Fields {
  let node: Node
  let reading: Reading
  /// Description of the mapping for messages, such as `participant 'teacher'`.
  let subject: String
  private var known: [String] = []
  /// Set once unknown keys have been reported.
  private var isFinished = false
  private let mapping: Node.Mapping

  /// Opens a mapping; `nil`, with an error reported, for a node of another kind.
  init?(_ node: Node?, _ subject: String, _ reading: Reading) {
    guard let node else { return nil }
    guard case .mapping(let mapping) = node else {
      reading.report(node, "\(subject) must be a mapping with entries such as 'key: value'")
      return nil
    }
    self.node = node
    self.mapping = mapping
    self.reading = reading
    self.subject = subject
  }

  func report(_ node: Node?, _ message: String) { reading.report(node ?? self.node, message) }

  /// Value of a key, if present.
  subscript(key: String) -> Node? { mapping.first { $0.key.string == key }?.value }

  /// Returns the value of a key, if present, and marks the key as known.
  func take(_ key: String) -> Node? {
    known.append(key)
    return self[key]
  }

  /// Returns the node of a key itself, if present.
  func key(_ name: String) -> Node? { mapping.first { $0.key.string == name }?.key }

  func require(_ key: String, example: String) -> Node? {
    guard let value = take(key) else {
      if reportsOther(for: key) { return nil }
      report(nil, "\(subject) needs '\(key)', such as '\(key): \(example)'")
      return nil
    }
    return value
  }

  /// Reports a key that was probably meant as the missing one; `false` if there is none.
  func reportsOther(for key: String) -> Bool {
    let other = mapping.first { entry in
      guard let name = entry.key.string, !known.contains(name) else { return false }
      return Vocabulary.meaning(of: name, among: [key]) != nil
        || min(name.count, key.count) > 4 && Suggestion.nearest(to: name, among: [key]) != nil
    }
    guard let other, let name = other.key.string else { return false }
    guard !isFinished else { return true }
    known.append(name)
    report(other.key, "unknown key '\(name)' in \(subject): did you mean '\(key)'?")
    return true
  }

  /// Marks keys as known.
  func know(_ keys: [String]) { known += keys }

  /// Reports all unknown keys.
  func finish() {
    isFinished = true
    var names: [String] = []
    for one in known where !names.contains(one) { names.append(one) }
    for (key, _) in mapping {
      let name = key.string ?? "?"
      guard !names.contains(name) else { continue }
      report(key, "unknown key '\(name)' in \(subject): \(Suggestion.text(forKey: name, among: names))")
    }
  }

  var keys: [String] { mapping.compactMap { $0.key.string } }

  // MARK: Values

  func text(of node: Node, _ key: String) -> String? {
    guard case .scalar(let scalar) = node else {
      report(node, "'\(key)' of \(subject) must be a single value")
      return nil
    }
    if scalar.style == .plain, ["", "~", "null", "Null", "NULL"].contains(scalar.string) {
      report(node, "'\(key)' of \(subject) has no value: add one, or remove the key")
      return nil
    }
    return scalar.string
  }

  /// Returns the text of a value that YAML parses as a number or a Boolean; reports an error if it is quoted.
  func plainText(of node: Node, _ key: String) -> String? {
    guard let text = text(of: node, key) else { return nil }
    if case .scalar(let scalar) = node, scalar.style == .singleQuoted || scalar.style == .doubleQuoted {
      report(node, "\(key): '\(text)' is a string: remove the quotes")
      return nil
    }
    return text
  }

  /// Parses a text; an error is reported with its description.
  func parse<T, E: Error & CustomStringConvertible>(
    _ node: Node, _ key: String, _ text: String, _ read: (String) throws(E) -> T
  ) -> T? {
    do {
      return try read(text)
    } catch {
      report(node, "\(key): \(error)")
      return nil
    }
  }

  func integer(of node: Node, _ key: String, in range: ClosedRange<Int>) -> Int? {
    guard let text = plainText(of: node, key) else { return nil }
    guard let value = Int(text), range.contains(value) else {
      report(
        node, "\(key): '\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return value
  }

  func number(of node: Node, _ key: String, in range: ClosedRange<Double>) -> Double? {
    guard let text = plainText(of: node, key) else { return nil }
    guard let value = Double(decimal: text), range.contains(value) else {
      report(node, "\(key): '\(text)' is not a number from \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return value
  }

  func flag(of node: Node, _ key: String) -> Bool? {
    guard let text = plainText(of: node, key) else { return nil }
    // These are the Booleans of YAML 1.2's core schema.
    switch text {
    case "true", "True", "TRUE": return true
    case "false", "False", "FALSE": return false
    default:
      let meant = ["yes": "true", "on": "true", "no": "false", "off": "false"][text.lowercased()]
      let cure = meant.map { ": write '\($0)'" } ?? ""
      report(node, "\(key): '\(text)' is neither true nor false\(cure)")
      return nil
    }
  }

  /// Reads a case of an enumeration.
  func choice<T: RawRepresentable & CaseIterable>(_ node: Node, _ key: String, _ text: String, _ type: T.Type)
    -> T?
  where T.RawValue == String {
    word(node, key, text, among: T.allCases.map(\.rawValue)).flatMap(T.init(rawValue:))
  }

  /// Reads one of several keywords.
  func word(_ node: Node, _ key: String, _ text: String, among words: [String]) -> String? {
    guard !words.contains(text) else { return text }
    let hint = Suggestion.nearest(to: text, among: words).map { ": did you mean '\($0)'?" } ?? ""
    report(node, "\(key): '\(text)' is not one of \(words.joined(separator: ", "))\(hint)")
    return nil
  }

  /// Reads a size in pixels or points, or the name of one.
  ///
  /// - Parameter further: other words that the key accepts, for the message.
  func size(of node: Node, _ key: String, or further: String? = nil) -> Resolution? {
    guard let text = text(of: node, key) else { return nil }
    if let named = Resolution.named.first(where: { $0.name == text }) { return named.resolution }
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int(plain: $0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1], (16...8192).contains(width),
      (16...8192).contains(height)
    else {
      let others = further.map { ", nor \($0)" } ?? ""
      report(node, "\(key): '\(text)' is not a size such as '640x360' or '360p'\(others)")
      return nil
    }
    return Resolution(width: width, height: height)
  }

  /// Returns the elements of a list; if the value is not a list, reports an error and returns no elements.
  func elements(of node: Node, _ key: String) -> [Node] {
    guard case .sequence(let sequence) = node else {
      let cure = if case .mapping = node { ": write its entries as '- {…}', one below the other" } else { "" }
      report(node, "'\(key)' of \(subject) must be a list\(cure)")
      return []
    }
    return Array(sequence)
  }
}

extension SimDuration {
  /// `true` if tables, whose times have three decimals, can represent the duration exactly.
  package var isWholeMilliseconds: Bool { nanoseconds % 1_000_000 == 0 }
}
