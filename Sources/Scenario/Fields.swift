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

  /// Value of a key with its place, if present.
  func field(_ key: String) -> Field? { self[key].map { Field(node: $0, key: key, mapping: self) } }

  /// Returns the value of a key, if present, and marks the key as known.
  func take(_ key: String) -> Field? {
    known.append(key)
    return field(key)
  }

  /// Returns the node of a key itself, if present.
  func key(_ name: String) -> Node? { mapping.first { $0.key.string == name }?.key }

  func require(_ key: String, example: String) -> Field? {
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
}

extension SimDuration {
  /// `true` if tables, whose times have three decimals, can represent the duration exactly.
  package var isWholeMilliseconds: Bool { nanoseconds % 1_000_000 == 0 }
}
