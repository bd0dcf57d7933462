/// An amount of simulated time, in whole nanoseconds.
///
/// An amount is never a point: see ``SimTime`` for those.
@frozen
public struct SimDuration: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The amount [ns].
  public var nanoseconds: Int64

  /// Makes an amount from its nanoseconds.
  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// No time at all.
  @inlinable
  public static var zero: SimDuration { .init(nanoseconds: 0) }

  /// Whole microseconds.
  @inlinable
  public static func microseconds(_ count: Int64) -> SimDuration { .init(nanoseconds: count * 1_000) }

  /// Whole milliseconds.
  @inlinable
  public static func milliseconds(_ count: Int64) -> SimDuration { .init(nanoseconds: count * 1_000_000) }

  /// Whole seconds.
  @inlinable
  public static func seconds(_ count: Int64) -> SimDuration { .init(nanoseconds: count * 1_000_000_000) }

  /// The amount in seconds, for reports: decisions rest on ``nanoseconds``.
  @inlinable
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Whether an amount is shorter.
  @inlinable
  public static func < (a: SimDuration, b: SimDuration) -> Bool { a.nanoseconds < b.nanoseconds }

  /// The sum of two amounts.
  @inlinable
  public static func + (a: SimDuration, b: SimDuration) -> SimDuration {
    .init(nanoseconds: a.nanoseconds + b.nanoseconds)
  }

  /// The difference of two amounts.
  @inlinable
  public static func - (a: SimDuration, b: SimDuration) -> SimDuration {
    .init(nanoseconds: a.nanoseconds - b.nanoseconds)
  }

  /// The amount taken a whole number of times.
  @inlinable
  public static func * (a: SimDuration, count: Int64) -> SimDuration {
    .init(nanoseconds: a.nanoseconds * count)
  }

  /// An integer share of the amount, rounded towards zero.
  @inlinable
  public static func / (a: SimDuration, parts: Int64) -> SimDuration {
    .init(nanoseconds: a.nanoseconds / parts)
  }

  /// Adds an amount.
  @inlinable
  public static func += (a: inout SimDuration, b: SimDuration) { a.nanoseconds += b.nanoseconds }
}
