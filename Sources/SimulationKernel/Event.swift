public import Quantity

/// Something that is due: when, and what for.
@frozen
public struct Event: BitwiseCopyable, Sendable {
  /// When it is due.
  public var time: SimTime
  /// Its place in the order of scheduling: of two events at one time the one scheduled first runs first.
  public var sequence: UInt64
  /// What it is for, 24 bits; the model gives them their meaning.
  public var tag: UInt32

  @inlinable @inline(__always)
  init(time: SimTime, sequence: UInt64, tag: UInt32) {
    self.time = time
    self.sequence = sequence
    self.tag = tag
  }
}

/// A scheduled event, for cancelling it.
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
