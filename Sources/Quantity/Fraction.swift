/// A share between 0 and 1, such as a loss rate.
@frozen
public struct Fraction: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The share, 0 to 1.
  public let value: Double

  /// Makes a share; `nil` outside 0 to 1.
  @inlinable
  public init?(_ value: Double) {
    guard value >= 0, value <= 1 else { return nil }
    self.value = value
  }

  /// Nothing.
  public static let zero = Fraction(unchecked: 0)

  @inlinable
  init(unchecked value: Double) { self.value = value }

  /// Whether a share is smaller.
  @inlinable
  public static func < (a: Fraction, b: Fraction) -> Bool { a.value < b.value }

  /// The share as a threshold for an unsigned 64-bit draw: a draw below it happens with this probability.
  ///
  /// `nil` for certainty, which no threshold of 64 bits can state.
  public var threshold: UInt64? {
    value >= 1 ? nil : UInt64(value * 0x1p64)
  }
}
