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
