/// When something is due, if it is due at all: eight bytes, for tables.
///
/// A deadline is compared and takes part in no sum: what is to be added to it asks for its ``time`` first.
@frozen
public struct Deadline: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Nanoseconds since the start [ns]; the greatest number for never.
  @usableFromInline let nanoseconds: Int64

  /// Creates a deadline.
  @inlinable
  public init(_ time: SimTime) { nanoseconds = time.nanoseconds }

  @inlinable
  init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Never due, and after all others.
  @inlinable
  public static var never: Deadline { .init(nanoseconds: .max) }

  /// The point in time; `nil` for never.
  @inlinable
  public var time: SimTime? { self == .never ? nil : SimTime(nanoseconds: nanoseconds) }

  /// Whether it has come.
  @inlinable
  public func isDue(at now: SimTime) -> Bool { nanoseconds <= now.nanoseconds }

  /// Compares two deadlines.
  @inlinable
  public static func < (a: Deadline, b: Deadline) -> Bool { a.nanoseconds < b.nanoseconds }
}

/// When something last happened, if it has happened at all: eight bytes, for tables.
///
/// It is compared and takes part in no sum: what is to be added to it asks for its ``time`` first.
@frozen
public struct LastTime: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Nanoseconds since the start [ns]; the least number for never.
  @usableFromInline let nanoseconds: Int64

  /// Creates a time at which something happened.
  @inlinable
  public init(_ time: SimTime) { nanoseconds = time.nanoseconds }

  @inlinable
  init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// It has not happened; before all others.
  @inlinable
  public static var never: LastTime { .init(nanoseconds: .min) }

  /// The point in time; `nil` if it has not happened.
  @inlinable
  public var time: SimTime? { self == .never ? nil : SimTime(nanoseconds: nanoseconds) }

  /// Whether at least a duration has passed since; true if it has not happened.
  @inlinable
  public func hasPassed(_ duration: SimDuration, at now: SimTime) -> Bool {
    self == .never || now.nanoseconds - nanoseconds >= duration.nanoseconds
  }

  /// Whether more than a duration has passed since; true if it has not happened.
  @inlinable
  public func isOlder(than duration: SimDuration, at now: SimTime) -> Bool {
    self == .never || now.nanoseconds - nanoseconds > duration.nanoseconds
  }

  /// Compares two times.
  @inlinable
  public static func < (a: LastTime, b: LastTime) -> Bool { a.nanoseconds < b.nanoseconds }
}
