/// Values in table fields, as written by browsers, Python, R and spreadsheets.
package enum FieldText {
  private static let absent: Set<String> = ["", "-", "nan", "null", "none", "n/a", "na", "undefined"]

  /// Checks for texts that stand for a missing value, in any case.
  package static func isAbsent(_ text: String) -> Bool { absent.contains(text.lowercased()) }

  /// Parses a finite number; `nil` for other texts.
  ///
  /// - Parameter hasDecimalComma: `true` if a comma is the decimal point, because it cannot separate fields.
  package static func number(_ text: String, hasDecimalComma: Bool = false) -> Double? {
    let plain = hasDecimalComma ? String(text.map { $0 == "," ? "." : $0 }) : text
    return Double(plain).flatMap { $0.isFinite ? $0 : nil }
  }
}
