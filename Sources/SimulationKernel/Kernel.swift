public import Quantity

/// A model that the kernel runs, handling events one at a time.
public protocol EventModel: ~Copyable {
  /// Handles an event; ``Kernel/now`` is already the event's time.
  mutating func handle(_ event: Event, kernel: inout Kernel)
}

/// The simulation clock and the events that advance it.
///
/// Events run in time order; of those at the same time, the one that was scheduled first runs first. The clock is
/// set to an event's time before its handler is called, and never goes back. The kernel knows nothing about
/// networks or meetings.
///
/// ```swift
/// var kernel = Kernel()
/// kernel.schedule(at: .zero, tag: 0)
/// kernel.run(until: SimTime(nanoseconds: 1_000), model: &model)
/// ```
@frozen
public struct Kernel: ~Copyable {
  @usableFromInline var present: SimTime
  @usableFromInline var eventsRun: UInt64
  @usableFromInline var queue: EventQueue
  @usableFromInline var isStopping: Bool

  /// Creates a kernel at time zero with an initial capacity for events, which grows as needed.
  public init(capacity: Int = 256) {
    present = .zero
    eventsRun = 0
    queue = EventQueue(capacity: capacity)
    isStopping = false
  }

  /// Current simulated time.
  @inlinable
  public var now: SimTime { present }

  /// Number of events run so far.
  @inlinable
  public var eventCount: UInt64 { eventsRun }

  /// Number of pending events.
  @inlinable
  public var pending: Int { queue.count }

  /// Schedules an event.
  ///
  /// - Precondition: `time` is not in the past; `tag` has 24 bits.
  @inlinable @inline(__always)
  @discardableResult
  public mutating func schedule(at time: SimTime, tag: UInt32) -> EventHandle {
    precondition(time >= now, "event scheduled at \(time.nanoseconds) ns, before now (\(now.nanoseconds) ns)")
    return queue.push(at: time, tag: tag)
  }

  /// Schedules an event after a delay, which may be zero.
  @inlinable @inline(__always)
  @discardableResult
  public mutating func schedule(after delay: SimDuration, tag: UInt32) -> EventHandle {
    schedule(at: now + delay, tag: tag)
  }

  /// Reserves a sequence number for ``schedule(at:sequence:tag:)``.
  @inlinable @inline(__always)
  public mutating func reserveSequence() -> UInt64 { queue.reserveSequence() }

  /// Schedules an event with a sequence number reserved earlier.
  @inlinable @inline(__always)
  public mutating func schedule(at time: SimTime, sequence: UInt64, tag: UInt32) {
    precondition(time >= now, "event scheduled at \(time.nanoseconds) ns, before now (\(now.nanoseconds) ns)")
    queue.push(at: time, sequence: sequence, tag: tag)
  }

  /// Cancels an event; no effect if it has already run.
  public mutating func cancel(_ handle: EventHandle) { queue.cancel(handle) }

  /// Makes ``run(until:model:)`` return after the current event.
  public mutating func stop() { isStopping = true }

  /// Runs every event up to and including `end` and leaves the clock there; after ``stop()`` it stays at the last
  /// event.
  @inlinable
  public mutating func run<Model: EventModel & ~Copyable>(until end: SimTime, model: inout Model) {
    isStopping = false
    while let event = queue.pop(until: end) {
      present = event.time
      eventsRun &+= 1
      model.handle(event, kernel: &self)
      if isStopping { return }
    }
    if present < end { present = end }
  }
}
