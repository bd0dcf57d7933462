/// What a scenario can name, with a line on it, where its rules come from, and its parameters.
package protocol RegistryEntry: Sendable {
  var name: String { get }
  /// A clause without a full stop.
  var summary: String { get }
  var source: String { get }
  var parameters: [ParameterDescription] { get }
}

/// Every entry of one kind by its name; a name that is not in it stands for nothing.
package struct Registry<Entry: RegistryEntry>: Sendable {
  /// In the order in which they are listed; at least one.
  package let entries: [Entry]

  /// Makes a registry of at least one entry, whose names differ; the first is what holds where a scenario names none.
  package init(_ entries: [Entry]) {
    precondition(!entries.isEmpty, "a registry of \(Entry.self) is empty")
    precondition(Set(entries.map(\.name)).count == entries.count, "\(entries.map(\.name)) has a name twice")
    self.entries = entries
  }

  /// What holds where a scenario names none.
  package var standard: Entry { entries[0] }

  package var names: [String] { entries.map(\.name) }

  package subscript(name: String) -> Entry? { entries.first { $0.name == name } }

  /// The registry with one more entry at its end.
  package func adding(_ entry: Entry) -> Registry { Registry(entries + [entry]) }
}
