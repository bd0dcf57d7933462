extension Sequence where Element: Equatable {
  /// Returns the elements without those that equal an earlier one; for short lists, since it compares all pairs.
  package func uniqued() -> [Element] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
