/// Upper limit of a rate, or no limit at all.
///
/// A limit is compared with rates but never added up: sums need its ``rate``.
@frozen
public struct RateLimit: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Rate [bit/s]; `.max` for no limit.
  @usableFromInline let bitsPerSecond: Int64

  /// Creates a limit.
  @inlinable
  public init(_ rate: BitRate) { bitsPerSecond = rate.bitsPerSecond }

  @inlinable
  init(bitsPerSecond: Int64) { self.bitsPerSecond = bitsPerSecond }

  /// No limit.
  @inlinable
  public static var unlimited: RateLimit { .init(bitsPerSecond: .max) }

  /// Limit that admits nothing.
  @inlinable
  public static var zero: RateLimit { .init(.zero) }

  /// Creates a limit of whole kilobits (1000 bits) per second.
  @inlinable
  public static func kilobits(_ count: Int64) -> RateLimit { .init(.kilobits(count)) }

  /// Creates a limit of whole megabits (1,000,000 bits) per second.
  @inlinable
  public static func megabits(_ count: Int64) -> RateLimit { .init(.megabits(count)) }

  /// Rate; `nil` for no limit.
  @inlinable
  public var rate: BitRate? { self == .unlimited ? nil : BitRate(bitsPerSecond: bitsPerSecond) }

  /// Compares two limits; no limit exceeds all others.
  @inlinable
  public static func < (a: RateLimit, b: RateLimit) -> Bool { a.bitsPerSecond < b.bitsPerSecond }

  /// Checks whether a rate is within the limit.
  @inlinable
  public func admits(_ rate: BitRate) -> Bool { rate.bitsPerSecond <= bitsPerSecond }

  /// Returns a rate, or the limit if that is lower.
  @inlinable
  public func confining(_ rate: BitRate) -> BitRate {
    BitRate(bitsPerSecond: min(rate.bitsPerSecond, bitsPerSecond))
  }

  /// Returns the part of the limit that a rate leaves: negative if the rate exceeds the limit, unlimited without one.
  @inlinable
  public func leaving(_ rate: BitRate) -> RateLimit {
    self == .unlimited ? self : RateLimit(BitRate(bitsPerSecond: bitsPerSecond) - rate)
  }

  /// Returns the excess of a rate over the limit: negative where it is within the limit, zero without one.
  @inlinable
  public func excess(of rate: BitRate) -> BitRate {
    self == .unlimited ? .zero : rate - BitRate(bitsPerSecond: bitsPerSecond)
  }

  /// Returns how far a limit at or below this one can rise before it reaches this one.
  @inlinable
  public func room(above lower: RateLimit) -> RateLimit { lower.rate.map(leaving) ?? self }

  /// Multiplies the limit by a factor; no limit remains no limit.
  @inlinable
  public func scaled(by factor: Double) -> RateLimit {
    self == .unlimited ? self : RateLimit(BitRate(bitsPerSecond: bitsPerSecond).scaled(by: factor))
  }
}
