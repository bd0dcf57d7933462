/// The text forms as regular expressions (ECMA 262), for those who check files without the reader.
extension QuantityKind {
  /// What a text of this kind looks like: a number of zero or more and one of the units.
  ///
  /// The upper limit of a kind with several units is not in it; that of a share is, unless it has an exponent.
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

  /// The units, for a person.
  public var unitList: String { unitNames }
}
