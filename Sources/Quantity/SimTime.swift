/// A point of simulated time, in whole nanoseconds since the meeting began.
///
/// 64 bits reach 292 years, so that sums of points and amounts that a scenario may state cannot overflow.
@frozen
public struct SimTime: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The point [ns since the beginning].
  public var nanoseconds: Int64

  /// Makes a point from its nanoseconds since the beginning.
  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The beginning of the meeting.
  @inlinable
  public static var zero: SimTime { .init(nanoseconds: 0) }

  /// A point that no run reaches.
  @inlinable
  public static var distantFuture: SimTime { .init(nanoseconds: .max) }

  /// The point in seconds since the beginning, for reports: decisions rest on ``nanoseconds``.
  @inlinable
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Whether a point lies before another.
  @inlinable
  public static func < (a: SimTime, b: SimTime) -> Bool { a.nanoseconds < b.nanoseconds }

  /// The point that lies an amount later.
  @inlinable
  public static func + (a: SimTime, b: SimDuration) -> SimTime {
    .init(nanoseconds: a.nanoseconds + b.nanoseconds)
  }

  /// The point that lies an amount earlier.
  @inlinable
  public static func - (a: SimTime, b: SimDuration) -> SimTime {
    .init(nanoseconds: a.nanoseconds - b.nanoseconds)
  }

  /// The amount between two points.
  @inlinable
  public static func - (a: SimTime, b: SimTime) -> SimDuration {
    .init(nanoseconds: a.nanoseconds - b.nanoseconds)
  }

  /// Moves the point later by an amount.
  @inlinable
  public static func += (a: inout SimTime, b: SimDuration) { a.nanoseconds += b.nanoseconds }
}
