/// Fraction between 0 and 1, such as a loss rate.
@frozen
public struct Fraction: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Fraction, 0 to 1.
  public let value: Double

  /// Creates a fraction; `nil` outside 0 to 1.
  @inlinable
  public init?(_ value: Double) {
    guard value >= 0, value <= 1 else { return nil }
    self.value = value
  }

  /// Zero.
  public static let zero = Fraction(unchecked: 0)

  @inlinable
  init(unchecked value: Double) { self.value = value }

  /// Compares two fractions.
  @inlinable
  public static func < (a: Fraction, b: Fraction) -> Bool { a.value < b.value }

  /// Fraction as a threshold for an unsigned 64-bit draw: a draw is below it with this probability.
  ///
  /// `nil` for 1, which no 64-bit threshold can express.
  public var threshold: UInt64? {
    value >= 1 ? nil : UInt64(value * 0x1p64)
  }
}
