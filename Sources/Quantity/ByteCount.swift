/// An amount of data, in whole bytes.
@frozen
public struct ByteCount: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The amount [byte].
  public var bytes: Int64

  /// Creates an amount.
  @inlinable
  public init(_ bytes: Int64) { self.bytes = bytes }

  /// Zero.
  public static let zero = ByteCount(0)

  /// Compares two amounts.
  @inlinable
  public static func < (a: ByteCount, b: ByteCount) -> Bool { a.bytes < b.bytes }

  /// The sum of two amounts.
  @inlinable
  public static func + (a: ByteCount, b: ByteCount) -> ByteCount { .init(a.bytes + b.bytes) }

  /// Adds an amount.
  @inlinable
  public static func += (a: inout ByteCount, b: ByteCount) { a.bytes += b.bytes }
}
