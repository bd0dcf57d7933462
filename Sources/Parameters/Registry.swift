/// An entity that scenarios refer to by name.
package protocol RegistryEntry: Sendable {
  var name: String { get }
  /// One-line summary without a full stop.
  var summary: String { get }
  /// Source of the entry's rules.
  var source: String { get }
  var parameters: [ParameterDescription] { get }
}

/// All entries of one kind, by name; there is no fallback for unknown names.
package struct Registry<Entry: RegistryEntry>: Sendable {
  /// Entries, in listing order; at least one.
  package let entries: [Entry]

  /// Creates a registry of at least one entry with unique names; the first is the default.
  package init(_ entries: [Entry]) {
    precondition(!entries.isEmpty, "a registry of \(Entry.self) is empty")
    precondition(
      Set(entries.map(\.name)).count == entries.count, "\(entries.map(\.name)) has a duplicate name")
    self.entries = entries
  }

  /// Entry used if a scenario names none.
  package var standard: Entry { entries[0] }

  package var names: [String] { entries.map(\.name) }

  package subscript(name: String) -> Entry? { entries.first { $0.name == name } }

  /// Returns a copy with one more entry at the end.
  package func adding(_ entry: Entry) -> Registry { Registry(entries + [entry]) }
}
