/// Time at which something is due, if it is due at all: eight bytes, for tables.
///
/// Deadlines are compared but never added to: sums need their ``time``.
@frozen
public struct Deadline: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Time since the start [ns]; `.max` for never.
  @usableFromInline let nanoseconds: Int64

  /// Creates a deadline.
  @inlinable
  public init(_ time: SimTime) { nanoseconds = time.nanoseconds }

  @inlinable
  init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Deadline that never comes, after all others.
  @inlinable
  public static var never: Deadline { .init(nanoseconds: .max) }

  /// Point in time; `nil` for never.
  @inlinable
  public var time: SimTime? { self == .never ? nil : SimTime(nanoseconds: nanoseconds) }

  /// Checks whether the deadline has come.
  @inlinable
  public func isDue(at now: SimTime) -> Bool { nanoseconds <= now.nanoseconds }

  /// Compares two deadlines.
  @inlinable
  public static func < (a: Deadline, b: Deadline) -> Bool { a.nanoseconds < b.nanoseconds }
}

/// Time at which something last happened, if it has happened at all: eight bytes, for tables.
///
/// Such times are compared but never added to: sums need their ``time``.
@frozen
public struct LastTime: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Time since the start [ns]; `.min` for never.
  @usableFromInline let nanoseconds: Int64

  /// Creates a time at which something happened.
  @inlinable
  public init(_ time: SimTime) { nanoseconds = time.nanoseconds }

  @inlinable
  init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Time of something that has not happened, before all others.
  @inlinable
  public static var never: LastTime { .init(nanoseconds: .min) }

  /// Point in time; `nil` if it has not happened.
  @inlinable
  public var time: SimTime? { self == .never ? nil : SimTime(nanoseconds: nanoseconds) }

  /// Checks whether at least a duration has passed since; `true` if it has not happened.
  @inlinable
  public func hasPassed(_ duration: SimDuration, at now: SimTime) -> Bool {
    self == .never || now.nanoseconds - nanoseconds >= duration.nanoseconds
  }

  /// Checks whether more than a duration has passed since; `true` if it has not happened.
  @inlinable
  public func isOlder(than duration: SimDuration, at now: SimTime) -> Bool {
    self == .never || now.nanoseconds - nanoseconds > duration.nanoseconds
  }

  /// Compares two times.
  @inlinable
  public static func < (a: LastTime, b: LastTime) -> Bool { a.nanoseconds < b.nanoseconds }
}
