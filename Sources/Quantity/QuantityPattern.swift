/// Regular expressions (ECMA 262) for the text forms, for schema validators.
extension QuantityKind {
  /// Matches a non-negative number followed by one of the units.
  ///
  /// It does not enforce the upper limit, except for percentages without an exponent.
  public var pattern: String {
    let unit = units.map(\.name).joined(separator: "|")
    let exponent = "[eE][+-]?[0-9]+"
    let decimal = "([0-9]+\\.?[0-9]*|\\.[0-9]+)"
    switch self {
    case .duration, .bitRate, .byteCount: return "^ *\\+?\(decimal)(\(exponent))? *(\(unit)) *$"
    case .fraction:
      let share = "(0*100(\\.0*)?|0*[0-9]{1,2}(\\.[0-9]*)?|\\.[0-9]+)"
      return "^ *\\+?(\(share)|\(decimal)\(exponent)) *(\(unit)) *$"
    }
  }

  /// Comma-separated list of the units.
  public var unitList: String { unitNames }
}
