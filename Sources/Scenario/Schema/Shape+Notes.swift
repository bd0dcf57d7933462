import Metrics
import Quantity
import YAML

/// What a shape states for the reference alone: notes, which published schemas do not have.
///
/// An example of a key is a whole scenario. It is put together along the way to the key from what each mapping needs:
/// its required keys, and what these notes add.
extension Shape {
  /// Prefix of the keywords of notes.
  static let notePrefix = "x-note-"

  enum Note: String {
    /// A mapping: entries beside each of its keys in examples.
    case with = "x-note-with"
    /// A key: entries beside it, in place of those of its mapping.
    case beside = "x-note-beside"
    /// What an example's scenario has besides, by key of the scenario.
    case amid = "x-note-amid"
    /// A list: elements before that of the example.
    case others = "x-note-others"
    /// The example, in place of the first of `examples`.
    case example = "x-note-example"
    /// The type, in words.
    case type = "x-note-type"
    /// A mapping from names: the name in examples.
    case name = "x-note-name"
    /// The systems that know the key.
    case policies = "x-note-policies"
    /// A parameter: who has it, with its default, effect and source.
    case parameter = "x-note-parameter"
    /// A mapping whose keys are described elsewhere.
    case described = "x-note-described"
  }

  func noting(_ note: Note, _ value: JSONValue) -> Shape { adding(note.rawValue, value) }

  /// A mapping whose keys need these entries beside them in examples.
  func with(_ entries: String) -> Shape { noting(.with, JSONValue(yaml: entries)) }

  /// A key that needs these entries beside it in examples, and none that its mapping states.
  func beside(_ entries: String) -> Shape { noting(.beside, JSONValue(yaml: entries)) }

  /// A key whose examples need these entries in the scenario.
  func amid(_ entries: String) -> Shape { noting(.amid, JSONValue(yaml: entries)) }

  /// A list in which examples come after these elements.
  func after(_ elements: String) -> Shape { noting(.others, JSONValue(yaml: elements)) }

  /// A key with this example.
  func shown(_ value: String) -> Shape { noting(.example, JSONValue(yaml: value)) }

  /// A shape whose type is these words.
  func ofType(_ words: String) -> Shape { noting(.type, .text(words)) }

  /// A mapping in whose examples this is the name.
  func named(_ name: String) -> Shape { noting(.name, .text(name)) }

  /// A key of some systems only.
  func ofPolicies(_ names: [String]) -> Shape { noting(.policies, .words(names)) }
}

extension JSONValue {
  /// A value as it is written in a scenario; plain scalars are numbers and booleans where YAML says so.
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

  /// A schema without its notes.
  var withoutNotes: JSONValue {
    switch self {
    case .object(let entries):
      .object(
        entries.compactMap { $0.0.hasPrefix(Shape.notePrefix) ? nil : ($0.0, $0.1.withoutNotes) })
    case .list(let values): .list(values.map(\.withoutNotes))
    case .text, .integer, .real, .flag: self
    }
  }

  /// The value of a key of an object.
  subscript(_ key: String) -> JSONValue? {
    guard case .object(let entries) = self else { return nil }
    return entries.first { $0.0 == key }?.1
  }

  /// The entries of an object; none of anything else.
  var entries: [(String, JSONValue)] { if case .object(let entries) = self { entries } else { [] } }

  /// The elements of a list; none of anything else.
  var elements: [JSONValue] { if case .list(let elements) = self { elements } else { [] } }

  var text: String? { if case .text(let text) = self { text } else { nil } }
}
