/// A subset of a source's encodings, of which there are at most 32.
@frozen
public struct EncodingSet: OptionSet, Hashable, Sendable, BitwiseCopyable {
  /// One bit for each encoding, starting from the lowest.
  public let rawValue: UInt32

  /// Creates a set from its bits.
  @inlinable
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// One encoding, by its index in the source.
  @inlinable
  public init(_ index: Int) { rawValue = 1 << UInt32(index) }

  /// The lowest encodings, as many as given.
  @inlinable
  public init(first count: Int) { rawValue = 1 << UInt32(count) &- 1 }

  /// Checks whether the encoding with an index is in the set.
  @inlinable
  public func contains(_ index: Int) -> Bool { rawValue >> UInt32(index) & 1 == 1 }

  /// Index of the lowest encoding in the set; `nil` if it is empty.
  @inlinable
  public var lowest: Int? { rawValue == 0 ? nil : rawValue.trailingZeroBitCount }

  /// Index of the highest encoding in the set; `nil` if it is empty.
  @inlinable
  public var highest: Int? { rawValue == 0 ? nil : UInt32.bitWidth - 1 - rawValue.leadingZeroBitCount }
}
