/// The most that a rate may be, or no limit at all.
///
/// A limit is compared with rates and takes part in no sum: what is to be added up asks for its ``rate`` first.
@frozen
public struct RateLimit: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The rate [bit/s]; the greatest number for no limit.
  @usableFromInline let bitsPerSecond: Int64

  /// Creates a limit.
  @inlinable
  public init(_ rate: BitRate) { bitsPerSecond = rate.bitsPerSecond }

  @inlinable
  init(bitsPerSecond: Int64) { self.bitsPerSecond = bitsPerSecond }

  /// No limit.
  @inlinable
  public static var unlimited: RateLimit { .init(bitsPerSecond: .max) }

  /// Nothing passes.
  @inlinable
  public static var zero: RateLimit { .init(.zero) }

  /// Whole kilobits (1000 bits) per second.
  @inlinable
  public static func kilobits(_ count: Int64) -> RateLimit { .init(.kilobits(count)) }

  /// Whole megabits (1,000,000 bits) per second.
  @inlinable
  public static func megabits(_ count: Int64) -> RateLimit { .init(.megabits(count)) }

  /// The rate; `nil` for no limit.
  @inlinable
  public var rate: BitRate? { self == .unlimited ? nil : BitRate(bitsPerSecond: bitsPerSecond) }

  /// Compares two limits; no limit is above all others.
  @inlinable
  public static func < (a: RateLimit, b: RateLimit) -> Bool { a.bitsPerSecond < b.bitsPerSecond }

  /// Whether a rate is within the limit.
  @inlinable
  public func admits(_ rate: BitRate) -> Bool { rate.bitsPerSecond <= bitsPerSecond }

  /// A rate, or the limit if that is lower.
  @inlinable
  public func confining(_ rate: BitRate) -> BitRate {
    BitRate(bitsPerSecond: min(rate.bitsPerSecond, bitsPerSecond))
  }

  /// What a limit leaves beside a rate, below zero where the rate exceeds it; without a limit, all.
  @inlinable
  public func leaving(_ rate: BitRate) -> RateLimit {
    self == .unlimited ? self : RateLimit(BitRate(bitsPerSecond: bitsPerSecond) - rate)
  }

  /// By how much a rate exceeds the limit, below zero where it is within it; zero without a limit.
  @inlinable
  public func excess(of rate: BitRate) -> BitRate {
    self == .unlimited ? .zero : rate - BitRate(bitsPerSecond: bitsPerSecond)
  }

  /// How much a limit that is no higher can rise until it reaches this one.
  @inlinable
  public func room(above lower: RateLimit) -> RateLimit { lower.rate.map(leaving) ?? self }

  /// The limit times a factor; no limit stays none.
  @inlinable
  public func scaled(by factor: Double) -> RateLimit {
    self == .unlimited ? self : RateLimit(BitRate(bitsPerSecond: bitsPerSecond).scaled(by: factor))
  }
}
