/// Amount of data, in whole bytes.
///
/// Scenarios allow up to 10^12 bytes, and their maximum rate yields 1.1 x 10^16 bytes in a day, of which 64 bits can
/// hold a sum of 850.
@frozen
public struct ByteCount: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Amount [byte].
  public var bytes: Int64

  /// Creates an amount.
  @inlinable
  public init(_ bytes: Int64) { self.bytes = bytes }

  /// Zero.
  public static let zero = ByteCount(0)

  /// Compares two amounts.
  @inlinable
  public static func < (a: ByteCount, b: ByteCount) -> Bool { a.bytes < b.bytes }

  /// Adds two amounts.
  @inlinable
  public static func + (a: ByteCount, b: ByteCount) -> ByteCount { .init(a.bytes + b.bytes) }

  /// Adds an amount.
  @inlinable
  public static func += (a: inout ByteCount, b: ByteCount) { a.bytes += b.bytes }
}
