import JSON
import Quantity
import YAML

/// Notes on a shape that are only for the reference; published schemas omit them.
///
/// The example of a key is a complete scenario, assembled along the path to the key from what each mapping needs: its
/// required keys, and the entries that these notes add.
extension Shape {
  /// Prefix of note keywords.
  static let notePrefix = "x-note-"

  enum Note: String {
    /// For a mapping: entries beside each of its keys in examples.
    case with = "x-note-with"
    /// For a key: entries beside it, instead of those stated by its mapping.
    case beside = "x-note-beside"
    /// Additional entries of an example's scenario, by scenario key.
    case amid = "x-note-amid"
    /// For a list: elements before the example's.
    case others = "x-note-others"
    /// Example to use instead of the first of `examples`.
    case example = "x-note-example"
    /// Type, in words.
    case type = "x-note-type"
    /// For a mapping from names: the name used in examples.
    case name = "x-note-name"
    /// Systems that know the key.
    case policies = "x-note-policies"
    /// For a parameter: its owners, with default, effect and source.
    case parameter = "x-note-parameter"
    /// Marks a mapping whose keys are described elsewhere.
    case described = "x-note-described"
  }

  func noting(_ note: Note, _ value: JSONValue) -> Shape { adding(note.rawValue, value) }

  /// Sets the entries needed beside the keys of this mapping in examples.
  func with(_ entries: String) -> Shape { noting(.with, JSONValue(yaml: entries)) }

  /// Sets the entries needed beside this key in examples, instead of those stated by its mapping.
  func beside(_ entries: String) -> Shape { noting(.beside, JSONValue(yaml: entries)) }

  /// Sets the entries that examples of this key need in the scenario.
  func amid(_ entries: String) -> Shape { noting(.amid, JSONValue(yaml: entries)) }

  /// Sets the elements of this list that come before an example's.
  func after(_ elements: String) -> Shape { noting(.others, JSONValue(yaml: elements)) }

  /// Sets the example of this key.
  func shown(_ value: String) -> Shape { noting(.example, JSONValue(yaml: value)) }

  /// Describes the type in words.
  func ofType(_ words: String) -> Shape { noting(.type, .text(words)) }

  /// Sets the name used in examples of this mapping.
  func named(_ name: String) -> Shape { noting(.name, .text(name)) }

  /// Limits this key to some systems.
  func ofPolicies(_ names: [String]) -> Shape {
    names.isEmpty ? self : noting(.policies, .words(names))
  }
}

extension JSONValue {
  /// Parses a value as written in a scenario; plain scalars become numbers and Booleans as in YAML.
  ///
  /// - Precondition: the text is valid YAML.
  init(yaml text: String) {
    guard let node = try? Composer.compose(text, limits: YAMLSource.limits) else {
      preconditionFailure("'\(text)' is no YAML")
    }
    self.init(node)
  }

  private init(_ node: Node) {
    switch node {
    case .scalar(let scalar):
      guard scalar.style == .plain else {
        self = .text(scalar.string)
        return
      }
      if scalar.string == "true" || scalar.string == "false" {
        self = .flag(scalar.string == "true")
      } else if let integer = Int64(scalar.string) {
        self = .integer(integer)
      } else if let real = Double(decimal: scalar.string) {
        self = .real(real)
      } else {
        self = .text(scalar.string)
      }
    case .sequence(let sequence): self = .list(sequence.map { JSONValue($0) })
    case .mapping(let mapping): self = .object(mapping.map { ($0.key.string ?? "", JSONValue($0.value)) })
    }
  }

  /// Schema without notes.
  var withoutNotes: JSONValue {
    switch self {
    case .object(let entries):
      .object(
        entries.compactMap { $0.0.hasPrefix(Shape.notePrefix) ? nil : ($0.0, $0.1.withoutNotes) })
    case .list(let values): .list(values.map(\.withoutNotes))
    case .text, .integer, .real, .flag, .null: self
    }
  }

  /// Value of a key of an object; `nil` for other values.
  subscript(_ key: String) -> JSONValue? {
    guard case .object(let entries) = self else { return nil }
    return entries.first { $0.0 == key }?.1
  }

  /// Entries of an object; empty for other values.
  var entries: [(String, JSONValue)] { if case .object(let entries) = self { entries } else { [] } }

  /// Elements of a list; empty for other values.
  var elements: [JSONValue] { if case .list(let elements) = self { elements } else { [] } }

  var text: String? { if case .text(let text) = self { text } else { nil } }
}
