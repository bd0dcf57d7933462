import Files
import Scenario

/// Reference of everything that users name or read, generated from the declarations behind reader, schema and tables.
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
  /// `view.pin` finds `participants[].view.pin`, `pixels` the word `pixel`; those with that name in W3C webrtc-stats,
  /// or the keys that take it as a value.
  static func entries(matching query: String) -> [ReferenceEntry] {
    let query = notation(of: query)
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
    let found = entries.filter { entry in
      isColumn(entry, withoutUnit: query)
        || entry.facts.contains { fact in
          fact.label == "getStats" && fact.values.contains { $0.split(separator: " ").contains(query[...]) }
        }
    }
    guard found.isEmpty else { return found }
    guard query.contains("_") else { return entries.filter { $0.takes(query) } }
    if query.hasPrefix("p_") { return entries.filter { $0.name == "p_NAME" } }
    // Words of commands have hyphens where their CSV has underscores, and no unit.
    if let unit = units.first(where: query.hasSuffix) {
      return entries(matching: String(query.dropLast(unit.count)))
    }
    return entries(matching: query.replacing("_", with: "-"))
  }

  private static let units = ["_frac", "_s", "_bps", "_px", "_bytes", "_nanoseconds"]

  /// Returns the notation under which all of its kind are explained: `f.2` for `h.1`, `2.1` for `0.0`, `s0` for `s2`
  /// and `720p30` for any format; other queries are unchanged.
  private static func notation(of query: String) -> String {
    let letters = Array(query)
    if letters.count == 3, letters[1] == ".", letters[2].isWholeNumber {
      if "qhf".contains(letters[0]) { return "f.2" }
      if letters[0].isWholeNumber { return "2.1" }
    }
    if letters.count == 2, letters[0] == "s", letters[1].isWholeNumber { return "s0" }
    let format = query.split(separator: "p", omittingEmptySubsequences: false)
    let isFormat = format.count == 2 && format.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isWholeNumber) }
    return isFormat ? "720p30" : query
  }

  /// Checks whether `tile_height` is the name of a column `tile_height_px`.
  private static func isColumn(_ entry: ReferenceEntry, withoutUnit query: String) -> Bool {
    guard entry.kind == .column, let name = entry.name.split(separator: ".").last,
      let unit = name.lastIndex(of: "_")
    else { return false }
    return name[..<unit] == query
  }

  /// Finds names similar to a query, nearest first.
  static func names(near query: String) -> [String] {
    let names = entries.flatMap { [$0.name, parts(of: $0.name).last ?? ""] }.uniqued()
    let longer = names.filter { !$0.contains(".") && $0.split(separator: "-").contains(query[...]) }
    if !longer.isEmpty { return Array(longer.prefix(5)) }
    return Suggestion.synonym(of: query, among: names).map { [$0] }
      ?? Suggestion.nearest(to: query, among: names, atMost: 5)
  }

  private static func parts(of name: String) -> [String] {
    let name = ReferenceEntry.plain(name)
    // A layer notation has no parts.
    return ["f.2", "2.1"].contains(name)
      ? [name]
      : name.split(separator: ".").map { part in
        part.hasSuffix("[]") ? String(part.dropLast(2)) : String(part)
      }.filter { $0 != "csv" }
  }
}
