extension [String] {
  /// Elements in prose: `a, b and c`.
  package var enumeration: String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}
