/// Point in simulated time, in whole nanoseconds since the start of the meeting.
///
/// 64 bits cover 292 years, so sums of any times and durations a scenario can state do not overflow. A time that may
/// never come is a ``Deadline``; one that may not have come yet, a ``LastTime``.
@frozen
public struct SimTime: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Time since the start [ns].
  public var nanoseconds: Int64

  /// Creates a point in time.
  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The start of the meeting.
  @inlinable
  public static var zero: SimTime { .init(nanoseconds: 0) }

  /// Time since the start of the meeting.
  @inlinable
  public var sinceStart: SimDuration { .init(nanoseconds: nanoseconds) }

  /// Seconds since the start, for reports; decisions use ``nanoseconds``.
  @inlinable
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Compares two points in time.
  @inlinable
  public static func < (a: SimTime, b: SimTime) -> Bool { a.nanoseconds < b.nanoseconds }

  /// Returns the point a duration later.
  @inlinable
  public static func + (a: SimTime, b: SimDuration) -> SimTime {
    .init(nanoseconds: a.nanoseconds + b.nanoseconds)
  }

  /// Returns the point a duration earlier.
  @inlinable
  public static func - (a: SimTime, b: SimDuration) -> SimTime {
    .init(nanoseconds: a.nanoseconds - b.nanoseconds)
  }

  /// Returns the duration between two points.
  @inlinable
  public static func - (a: SimTime, b: SimTime) -> SimDuration {
    .init(nanoseconds: a.nanoseconds - b.nanoseconds)
  }

  /// Advances the point by a duration.
  @inlinable
  public static func += (a: inout SimTime, b: SimDuration) { a.nanoseconds += b.nanoseconds }
}
