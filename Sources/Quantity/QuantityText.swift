/// Reason why a text is not a valid quantity.
///
/// The cases are the causes; ``description`` is the message shown to the user.
public enum QuantityError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text does not start with a number.
  case notANumber(text: String, kind: QuantityKind)
  /// The number has no unit.
  case missingUnit(text: String, kind: QuantityKind)
  /// The unit is not valid for this kind of quantity.
  case unknownUnit(unit: String, kind: QuantityKind)
  /// The value is negative.
  case negative(text: String, kind: QuantityKind)
  /// The value exceeds the supported maximum.
  case tooLarge(text: String, kind: QuantityKind)

  /// One sentence that states what is wrong and what is expected.
  public var description: String {
    switch self {
    case .notANumber(let text, let kind):
      return "'\(text)' is not \(kind.article): write \(kind.example)"
    case .missingUnit(let text, let kind):
      return "'\(text)' has no unit: write \(kind.article) with \(kind.unitChoice), "
        + "such as \(kind.example)"
    case .unknownUnit(let unit, let kind):
      if let meant = kind.unit(meantBy: unit) {
        return "'\(unit)' is not a unit of \(kind.article): \(meant)"
      }
      return "'\(unit)' is not a unit of \(kind.article): use \(kind.unitChoice), "
        + "such as \(kind.example)"
    case .negative(let text, let kind):
      return "'\(text)' is negative: \(kind.article) is zero or more, such as \(kind.example)"
    case .tooLarge(let text, let kind):
      return "'\(text)' is too large: \(kind.article) is at most \(kind.largest)"
    }
  }
}

/// Kind of quantity that a text can express.
public enum QuantityKind: Equatable, Sendable {
  case duration, bitRate, byteCount, fraction

  var article: String {
    switch self {
    case .duration: "a time"
    case .bitRate: "a bit rate"
    case .byteCount: "a size"
    case .fraction: "a percentage"
    }
  }

  var example: String {
    switch self {
    case .duration: "'20 ms'"
    case .bitRate: "'2400 kbps'"
    case .byteCount: "'10 kB'"
    case .fraction: "'0.5 %'"
    }
  }

  /// Maximum value, for messages.
  var largest: String {
    switch self {
    case .duration: "365 d"
    case .bitRate: "1000 Gbps"
    case .byteCount: "1000 GB"
    case .fraction: "100 %"
    }
  }

  /// Every unit with its factor to the kind's base unit (ns, bit/s, byte, 1).
  var units: [(name: String, factor: Double)] {
    switch self {
    case .duration:
      [
        ("ns", 1), ("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("s", 1e9), ("min", 60e9), ("h", 3600e9),
        ("d", 86_400e9),
      ]
    case .bitRate: [("bps", 1), ("kbps", 1e3), ("Mbps", 1e6), ("Gbps", 1e9)]
    case .byteCount: [("B", 1), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9)]
    case .fraction: [("%", 0.01)]
    }
  }

  /// Suggests the correct form of a unit in another spelling; `nil` for an unknown one.
  fileprivate func unit(meantBy unit: String) -> String? {
    let plain = unit.lowercased()
    let spellings: [(unit: String, words: [String])] =
      switch self {
      case .duration:
        [
          ("ms", ["msec", "msecs", "millis", "milliseconds", "millisecond"]),
          ("s", ["sec", "secs", "second", "seconds"]), ("min", ["m", "mins", "minute", "minutes"]),
          ("h", ["hr", "hrs", "hour", "hours"]), ("d", ["day", "days"]),
        ]
      case .bitRate:
        [
          ("bps", ["bit/s", "bits/s", "b/s"]), ("kbps", ["k", "kb/s", "kbit", "kbits", "kbit/s", "kbits/s"]),
          ("Mbps", ["m", "mb/s", "mbit", "mbits", "mbit/s", "mbits/s"]),
          ("Gbps", ["g", "gb/s", "gbit", "gbits", "gbit/s", "gbits/s"]),
        ]
      case .byteCount: [("B", ["bytes", "byte"]), ("kB", ["k"]), ("MB", ["m"]), ("GB", ["g"])]
      case .fraction: [("%", ["percent", "pct"])]
      }
    if let known = units.first(where: { $0.name.lowercased() == plain }) { return "write '\(known.name)'" }
    if let known = spellings.first(where: { $0.words.contains(plain) }) {
      return known.unit == "min" ? "write 'min' for minutes, such as '2 min'" : "write '\(known.unit)'"
    }
    // Compound forms such as 1h30m and 1:30.
    if self == .duration, plain.contains(where: \.isNumber),
      plain.allSatisfy({ $0.isNumber || "dhms:".contains($0) })
    {
      return "write one number with one unit, such as '90 min' for 1h30m"
    }
    return nil
  }

  /// Maximum value in the base unit.
  var limit: Double {
    switch self {
    case .duration: 365 * 86_400e9
    case .bitRate, .byteCount: 1e12
    case .fraction: 1
    }
  }

  var unitNames: String { units.map(\.name).joined(separator: ", ") }

  fileprivate var unitChoice: String { units.count == 1 ? "the unit \(unitNames)" : "one of \(unitNames)" }

  /// Parses a number with a unit and returns the value in the base unit.
  ///
  /// - Throws: ``QuantityError`` for anything but a finite, non-negative number with a known unit.
  func value(of text: String) throws(QuantityError) -> Double {
    let trimmed = text.drop(while: { $0 == " " })
    let digits = trimmed.prefix(while: { "+-0123456789.eE".contains($0) && !$0.isWhitespace })
    // "1e3" is a number with exponent: no unit starts with an "e".
    guard let number = Double(digits), number.isFinite else {
      throw .notANumber(text: text, kind: self)
    }
    let rest = trimmed.dropFirst(digits.count).drop(while: { $0 == " " })
    let unit = rest.prefix(rest.count - rest.reversed().prefix(while: { $0 == " " }).count)
    guard number.sign == .plus else { throw .negative(text: text, kind: self) }
    guard !unit.isEmpty else { throw .missingUnit(text: text, kind: self) }
    guard let factor = units.first(where: { $0.name == unit })?.factor else {
      throw .unknownUnit(unit: String(unit), kind: self)
    }
    let value = number * factor
    guard value <= limit else { throw .tooLarge(text: text, kind: self) }
    return value
  }
}

extension SimDuration {
  /// Parses a time such as `20 ms`, `1.5 s` or `2 min`.
  ///
  /// - Throws: ``QuantityError`` naming the accepted units.
  public init(text: String) throws(QuantityError) {
    self.init(nanoseconds: Int64(try QuantityKind.duration.value(of: text).rounded()))
  }
}

extension BitRate {
  /// Parses a rate such as `2400 kbps` or `2.4 Mbps`.
  ///
  /// - Throws: ``QuantityError`` naming the accepted units.
  public init(text: String) throws(QuantityError) {
    self.init(bitsPerSecond: Int64(try QuantityKind.bitRate.value(of: text).rounded()))
  }
}

extension ByteCount {
  /// Parses a size such as `10 kB`.
  ///
  /// - Throws: ``QuantityError`` naming the accepted units.
  public init(text: String) throws(QuantityError) {
    self.init(Int64(try QuantityKind.byteCount.value(of: text).rounded()))
  }
}

extension Fraction {
  /// Parses a percentage such as `0.5 %`.
  ///
  /// - Throws: ``QuantityError`` unless it is a percentage of 0 to 100.
  public init(text: String) throws(QuantityError) {
    self.init(unchecked: try QuantityKind.fraction.value(of: text))
  }
}

extension SimDuration: CustomStringConvertible {
  /// Exact amount in the scenario's syntax: whole seconds or milliseconds, or a decimal of the largest unit below it.
  public var description: String {
    let n = nanoseconds
    if n % 1_000_000_000 == 0 { return "\(n / 1_000_000_000) s" }
    if n % 1_000_000 == 0 { return "\(n / 1_000_000) ms" }
    for (unit, size, digits) in [("s", 1_000_000_000, 9), ("ms", 1_000_000, 6), ("us", 1_000, 3)]
    where n.magnitude >= size {
      return "\(Self.decimal(n, digits: digits)) \(unit)"
    }
    return "\(n) ns"
  }

  /// Formats a number with a decimal point before its last digits and without trailing zeros.
  private static func decimal(_ number: Int64, digits: Int) -> String {
    let text = String(number.magnitude)
    let fraction = String(repeating: "0", count: max(0, digits - text.count)) + text.suffix(digits)
    let end = fraction.lastIndex { $0 != "0" }.map { fraction.index(after: $0) } ?? fraction.startIndex
    let whole = text.count > digits ? String(text.dropLast(digits)) : "0"
    return (number < 0 ? "-" : "") + whole + (end > fraction.startIndex ? "." + fraction[..<end] : "")
  }
}

extension BitRate: CustomStringConvertible {
  /// Rate in bps, kbps or Mbps, in the scenario's syntax.
  public var description: String {
    let b = bitsPerSecond
    if b != 0, b % 1_000_000 == 0 { return "\(b / 1_000_000) Mbps" }
    if b % 1_000 == 0 { return "\(b / 1_000) kbps" }
    return "\(b) bps"
  }
}

extension RateLimit: CustomStringConvertible {
  /// Rate, or `unlimited`.
  public var description: String { rate?.description ?? "unlimited" }
}
