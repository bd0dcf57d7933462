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
  ///
  /// - Parameters:
  ///   - example: example of such a mapping, for the message.
  ///   - keys: some of its keys, for the message if there is no example.
  init?(
    _ node: Node?, _ subject: String, _ reading: Reading, example: String? = nil,
    keys: @autoclosure () -> [String] = []
  ) {
    guard let node else { return nil }
    guard case .mapping(let mapping) = node else {
      let keys = keys()
      let entries =
        keys.isEmpty ? "entries such as 'key: value'" : "keys such as '\(keys.joined(separator: "', '"))'"
      let form = example.map { "such as '\($0)'" } ?? "with \(entries)"
      reading.report(node, "\(subject) must be a mapping \(form)")
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

  /// Value of a key with its position, if present.
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
    guard let other = entry(meantAs: key, except: known), let name = other.key.string else { return false }
    guard !isFinished else { return true }
    known.append(name)
    let suggestion = suggestion(for: name, other.value, among: [key])
    report(other.key, "unknown key '\(name)' in \(subject): \(suggestion)")
    return true
  }

  /// Value of a key that was probably meant as the given one.
  func value(meantAs key: String) -> Field? {
    entry(meantAs: key, except: []).map { Field(node: $0.value, key: key, mapping: self) }
  }

  private func entry(meantAs key: String, except others: [String]) -> (key: Node, value: Node)? {
    mapping.first { entry in
      guard let name = entry.key.string, !others.contains(name) else { return false }
      return Vocabulary.meaning(of: name, among: [key]) != nil
        || min(name.count, key.count) > 4 && Suggestion.nearest(to: name, among: [key]) != nil
    }
  }

  /// Suggests what an unknown key was meant as; as a whole entry if its value tells more.
  private func suggestion(for name: String, _ value: Node, among keys: [String]) -> String {
    if let entry = Vocabulary.entry(meantBy: name, value, among: keys) { return "did you mean '\(entry)'?" }
    if let entry = Vocabulary.timelineEntry(meantBy: name, value, of: self["id"]?.string, among: keys) {
      return "write '\(entry)' in the 'timeline'"
    }
    if Suggestion.nearest(to: name, among: keys) == nil, case .mapping(let inner) = value,
      let own = inner.first(where: { $0.key.string.map(keys.contains) ?? false }),
      let key = own.key.string, let text = own.value.string
    {
      return "did you mean '\(key): \(text)', without it?"
    }
    return Suggestion.text(forKey: name, among: keys)
  }

  /// Marks keys as known.
  func know(_ keys: [String]) { known += keys }

  /// Reports all unknown keys.
  func finish() {
    isFinished = true
    var names: [String] = []
    for one in known where !names.contains(one) { names.append(one) }
    for (key, value) in mapping {
      let name = key.string ?? "?"
      guard !names.contains(name) else { continue }
      report(key, "unknown key '\(name)' in \(subject): \(suggestion(for: name, value, among: names))")
    }
  }

  var keys: [String] { mapping.compactMap { $0.key.string } }
}

extension SimDuration {
  /// Indicates whether tables, whose times have three decimals, can represent the duration exactly.
  package var isWholeMilliseconds: Bool { nanoseconds % 1_000_000 == 0 }
}
