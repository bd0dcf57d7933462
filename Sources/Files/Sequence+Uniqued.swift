extension Sequence where Element: Equatable {
  /// Returns the elements without those that equal an earlier one; for short lists, since it compares all pairs.
  package func uniqued() -> [Element] { uniqued(by: \.self) }
}

extension Sequence {
  /// Returns the first element with each value of a property; for short lists, since it compares all pairs.
  package func uniqued<Property: Equatable>(by property: (Element) -> Property) -> [Element] {
    reduce(into: []) { kept, element in
      if !kept.contains(where: { property($0) == property(element) }) { kept.append(element) }
    }
  }
}
