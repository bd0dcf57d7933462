import Scenario

/// Reference of everything that users name or read, made from the declarations behind reader, schema and tables.
enum Reference {
  /// All entries, by kind.
  static let entries: [ReferenceEntry] = ReferenceEntry.Kind.allCases.flatMap { entries(of: $0) }

  /// Returns the entries of a kind in the order of their declarations, each with an example.
  static func entries(of kind: ReferenceEntry.Kind) -> [ReferenceEntry] {
    declared(kind).map(withExample)
  }

  private static func declared(_ kind: ReferenceEntry.Kind) -> [ReferenceEntry] {
    switch kind {
    case .scenarioKey: keys(KeyReference.scenario, kind)
    case .sweepKey: keys(KeyReference.sweep, kind)
    case .event: events
    case .table: tables
    case .column: columns
    case .metric: metrics
    case .limitation: limitations
    case .rule: rules
    case .word: words
    case .policy, .estimator, .discipline, .ladder, .link: models(kind)
    }
  }

  /// Finds the entries whose names end with the parts of a query, in the singular or the plural, ignoring case and units:
  /// `view.pin` finds `participants[].view.pin`, `pixels` the word `pixel`; or those with that name in W3C webrtc-stats.
  static func entries(matching query: String) -> [ReferenceEntry] {
    let forms = ReferenceEntry.numbers(of: query)
    let printed = entries.filter { $0.kind == .word && forms.contains(ReferenceEntry.plain($0.name)) }
    for form in forms {
      let wanted = parts(of: form)
      let found = entries.filter { parts(of: $0.name).suffix(wanted.count).elementsEqual(wanted) }
      let exact = found.filter { parts(of: $0.name).count == wanted.count }
      guard !found.isEmpty else { continue }
      let own = wanted.count > 1 && !exact.isEmpty ? exact : found
      return own + (own.contains { $0.kind == .word } ? [] : printed)
    }
    // Columns and metrics have underscores where pages have spaces.
    if query.contains(" ") { return entries(matching: query.replacing(" ", with: "_")) }
    return entries.filter { entry in
      isColumn(entry, withoutUnit: query)
        || entry.facts.contains { fact in
          fact.label == "getStats" && fact.values.contains { $0.split(separator: " ").contains(query[...]) }
        }
    }
  }

  /// Checks whether `tile_height` is the name of a column `tile_height_px`.
  private static func isColumn(_ entry: ReferenceEntry, withoutUnit query: String) -> Bool {
    guard entry.kind == .column, let name = entry.name.split(separator: ".").last,
      let unit = name.lastIndex(of: "_")
    else { return false }
    return name[..<unit] == query
  }

  /// Finds names similar to a query, the nearest first.
  static func names(near query: String) -> [String] {
    var names: [String] = []
    for entry in entries {
      for name in [entry.name, parts(of: entry.name).last ?? ""] where !names.contains(name) {
        names.append(name)
      }
    }
    return Suggestion.nearest(to: query, among: names, atMost: 5)
  }

  private static func parts(of name: String) -> [String] {
    let name = ReferenceEntry.plain(name)
    // A word such as `f.2` has no parts.
    return name == "f.2"
      ? [name]
      : name.split(separator: ".").map { part in
        part.hasSuffix("[]") ? String(part.dropLast(2)) : String(part)
      }.filter { $0 != "csv" }
  }
}
