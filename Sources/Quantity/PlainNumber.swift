/// Plain decimal numbers: no sign, exponent, leading zeros or radix prefix, so that a regular expression can describe
/// them.
extension Double {
  /// Parses a plain number such as `15` or `7.5`.
  public init?(plain text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, Int(plain: parts[0]) != nil,
      parts.dropFirst().allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isDigit) })
    else { return nil }
    self.init(String(text))
  }

  /// Parses a finite decimal number with optional sign, fraction and exponent, such as `-0.5` or `1e6`.
  public init?(decimal text: some StringProtocol) {
    guard text.utf8.allSatisfy({ Self.isDigit($0) || "+-.eE".utf8.contains($0) }),
      let value = Double(String(text)),
      value.isFinite
    else { return nil }
    self = value
  }

  /// Shortest decimal text of a finite number that parses as the same number: always with a point, never with an
  /// exponent, such as `0.000004` and `20000000000000000.0`.
  public var decimalText: String {
    let text = description
    guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: mark)...]) else {
      return text
    }
    let digits = text[..<mark].filter { $0 != "-" && $0 != "." }
    // Position of the point among the digits: one of them is before it.
    let point = 1 + exponent
    let sign = self < 0 ? "-" : ""
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    guard point < digits.count else {
      return sign + digits + String(repeating: "0", count: point - digits.count) + ".0"
    }
    return sign + digits.prefix(point) + "." + digits.dropFirst(point)
  }

  fileprivate static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}

extension Int {
  /// Parses a plain integer such as `0`, `16` or `1280`.
  public init?(plain text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy(Double.isDigit), text == "0" || !text.hasPrefix("0") else {
      return nil
    }
    self.init(String(text))
  }
}
