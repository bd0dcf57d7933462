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
  private var isStopped = false
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

  /// Returns the value of a key, if present, and marks the key as known.
  func take(_ key: String) -> Node? {
    known.append(key)
    return mapping.first { $0.key.string == key }?.value
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
    known.append(name)
    report(other.key, "unknown key '\(name)' in \(subject): did you mean '\(key)'?")
    return true
  }

  /// Marks keys as known.
  func know(_ keys: [String]) { known += keys }

  /// Suppresses reports of unknown keys, for a mapping that is abandoned because of an error.
  func stop() { isStopped = true }

  /// Reports all unknown keys.
  func finish() {
    guard !isStopped else { return }
    var names: [String] = []
    for one in known where !names.contains(one) { names.append(one) }
    for (key, _) in mapping {
      let name = key.string ?? "?"
      guard !names.contains(name) else { continue }
      report(key, "unknown key '\(name)' in \(subject): \(Suggestion.text(forKey: name, among: names))")
    }
  }

  var keys: [String] { mapping.compactMap { $0.key.string } }

  // MARK: Typed values

  func text(_ key: String) -> String? { take(key).flatMap { text(of: $0, key) } }

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

  /// Parses a value from its text; an error is reported with its description.
  func value<T, E: Error & CustomStringConvertible>(
    _ key: String, _ read: (String) throws(E) -> T
  ) -> T? {
    guard let node = take(key), let text = text(of: node, key) else { return nil }
    return parse(node, key, text, read)
  }

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

  func duration(
    _ key: String, atLeast least: SimDuration = .zero, atMost limit: SimDuration = .seconds(86_400)
  ) -> SimDuration? {
    guard let node = take(key), let text = text(of: node, key),
      let duration = parse(node, key, text, SimDuration.init(text:))
    else { return nil }
    guard duration <= limit else {
      report(node, "\(key): '\(text)' is too long: at most \(limit)")
      return nil
    }
    guard duration >= least else {
      report(node, "\(key): '\(text)' is too short: at least \(least)")
      return nil
    }
    return duration
  }

  func rate(_ key: String) -> BitRate? { value(key, BitRate.init(text:)) }
  func share(_ key: String) -> Fraction? { value(key, Fraction.init(text:)) }
  func format(_ key: String) -> VideoFormat? { value(key, VideoFormat.init(text:)) }

  func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
    take(key).flatMap { integer(of: $0, key, in: range) }
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

  func number(_ key: String, in range: ClosedRange<Double>) -> Double? {
    guard let node = take(key), let text = plainText(of: node, key) else { return nil }
    guard let value = Double(decimal: text), range.contains(value) else {
      report(node, "\(key): '\(text)' is not a number from \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return value
  }

  func flag(_ key: String) -> Bool? { take(key).flatMap { flag(of: $0, key) } }

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
  func choice<T: RawRepresentable & CaseIterable>(_ key: String, _ type: T.Type) -> T?
  where T.RawValue == String {
    guard let node = take(key), let text = text(of: node, key) else { return nil }
    return choice(node, key, text, type)
  }

  func choice<T: RawRepresentable & CaseIterable>(_ node: Node, _ key: String, _ text: String, _ type: T.Type)
    -> T?
  where T.RawValue == String {
    word(node, key, text, among: T.allCases.map(\.rawValue)).flatMap(T.init(rawValue:))
  }

  /// Reads one of several keywords.
  func word(_ key: String, among words: [String]) -> String? {
    guard let node = take(key), let text = text(of: node, key) else { return nil }
    return word(node, key, text, among: words)
  }

  func word(_ node: Node, _ key: String, _ text: String, among words: [String]) -> String? {
    guard !words.contains(text) else { return text }
    let hint = Suggestion.nearest(to: text, among: words).map { ": did you mean '\($0)'?" } ?? ""
    report(node, "\(key): '\(text)' is not one of \(words.joined(separator: ", "))\(hint)")
    return nil
  }

  /// Returns the elements of a list; if the value is not a list, reports an error and returns no elements.
  func list(_ key: String) -> [Node]? {
    guard let node = take(key) else { return nil }
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
