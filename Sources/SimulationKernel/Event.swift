public import Quantity

/// A timed event.
@frozen
public struct Event: BitwiseCopyable, Sendable {
  /// Time at which the event runs.
  public var time: SimTime
  /// Tie breaker: of two events at the same time, the one scheduled first runs first.
  public var sequence: UInt64
  /// 24 bits whose meaning the model defines.
  public var tag: UInt32

  @inlinable @inline(__always)
  init(time: SimTime, sequence: UInt64, tag: UInt32) {
    self.time = time
    self.sequence = sequence
    self.tag = tag
  }
}

/// Handle of a scheduled event, for cancelling it.
@frozen
public struct EventHandle: Hashable, BitwiseCopyable, Sendable {
  @usableFromInline let time: SimTime
  @usableFromInline let sequence: UInt64

  @inlinable @inline(__always)
  init(time: SimTime, sequence: UInt64) {
    self.time = time
    self.sequence = sequence
  }
}
