public import Quantity

/// Pending events in the order (time, then scheduling).
///
/// An implicit 4-ary heap of 16-byte records, four siblings to a cache line. A pop leaves the root vacant and the
/// next push fills it with one sift, because a handler nearly always schedules: worth a sixth of the time at 100
/// pending events. Ties cost nothing, unlike in calendar and ladder queues, and meetings are full of them.
///
/// Push and pop are O(log n); cancelling is O(1) and leaves nothing behind once the event's time has passed.
@frozen
public struct EventQueue: ~Copyable {
  @frozen
  @usableFromInline
  struct Record: BitwiseCopyable {
    @usableFromInline var time: Int64
    /// 40 bits of sequence above 24 bits of tag: sequences differ, so the tag never decides an order.
    @usableFromInline var order: UInt64

    @inlinable @inline(__always)
    init(time: Int64, order: UInt64) {
      self.time = time
      self.order = order
    }

    /// One comparison without a branch; times are never negative.
    @inlinable @inline(__always)
    var key: UInt128 { UInt128(_low: order, _high: UInt64(bitPattern: time)) }
  }

  @usableFromInline var allocation: UnsafeMutableRawPointer
  @usableFromInline var heap: UnsafeMutablePointer<Record>
  @usableFromInline var size: Int
  @usableFromInline var capacity: Int
  @usableFromInline var hasHole: Bool
  @usableFromInline var nextSequence: UInt64
  @usableFromInline var lastTime: Int64
  @usableFromInline var lastSequence: UInt64
  /// Sequences of cancelled events that have not come up yet; looked at only while there are any.
  @usableFromInline var cancelled: Set<UInt64>
  /// One flag to look at instead of the set.
  @usableFromInline var hasCancelled: Bool

  /// Children of record i begin at 4 i + 1: shifted by three records they fill a cache line.
  @usableFromInline static var padding: Int { 3 }

  /// Makes an empty queue.
  public init(capacity: Int = 256) {
    self.capacity = max(capacity, 16)
    (allocation, heap) = Self.allocate(self.capacity)
    size = 0
    hasHole = false
    nextSequence = 0
    lastTime = -1
    lastSequence = 0
    cancelled = []
    hasCancelled = false
  }

  deinit { allocation.deallocate() }

  private static func allocate(_ capacity: Int) -> (UnsafeMutableRawPointer, UnsafeMutablePointer<Record>) {
    let stride = MemoryLayout<Record>.stride
    let raw = UnsafeMutableRawPointer.allocate(byteCount: (capacity + padding) * stride, alignment: 64)
    return (raw, (raw + padding * stride).bindMemory(to: Record.self, capacity: capacity))
  }

  /// Number of pending events.
  @inlinable
  public var count: Int { size - (hasHole ? 1 : 0) - cancelled.count }

  /// Takes a place in the order of scheduling, for an event that is pushed later.
  ///
  /// A first-in-first-out link takes one per packet and keeps only its head in the queue; the order is then that of
  /// a queue that holds every packet.
  @inlinable @inline(__always)
  public mutating func reserveSequence() -> UInt64 {
    let sequence = nextSequence
    nextSequence = sequence &+ 1
    return sequence
  }

  /// Adds an event.
  @inlinable @inline(__always)
  @discardableResult
  public mutating func push(at time: SimTime, tag: UInt32) -> EventHandle {
    let sequence = reserveSequence()
    push(at: time, sequence: sequence, tag: tag)
    return EventHandle(time: time, sequence: sequence)
  }

  /// Adds an event at a reserved place in the order.
  @inlinable @inline(__always)
  public mutating func push(at time: SimTime, sequence: UInt64, tag: UInt32) {
    let record = Record(time: time.nanoseconds, order: sequence << 24 | UInt64(tag & 0xff_ffff))
    if hasHole {
      hasHole = false
      siftDown(record)
    } else {
      if size == capacity { grow() }
      siftUp(record)
    }
  }

  /// Takes the next event out; `nil` when there is none.
  @inlinable @inline(__always)
  public mutating func pop() -> Event? { pop(until: .distantFuture) }

  /// Takes the next event out if it is due by `end`, else leaves it and gives `nil`.
  @inlinable @inline(__always)
  public mutating func pop(until end: SimTime) -> Event? {
    fillHole()
    if hasCancelled { dropCancelledHead() }
    guard size > 0, heap[0].time <= end.nanoseconds else { return nil }
    let record = heap[0]
    hasHole = true
    lastTime = record.time
    lastSequence = record.order >> 24
    return Event(
      time: SimTime(nanoseconds: record.time), sequence: lastSequence,
      tag: UInt32(truncatingIfNeeded: record.order & 0xff_ffff))
  }

  /// Removes cancelled events from the top, so that the head is one that runs.
  @usableFromInline
  mutating func dropCancelledHead() {
    while size > 0, cancelled.remove(heap[0].order >> 24) != nil {
      hasHole = true
      fillHole()
    }
    hasCancelled = !cancelled.isEmpty
  }

  /// Takes an event back. One that has run or is cancelled already stays as it is.
  public mutating func cancel(_ handle: EventHandle) {
    // Events come up in the order of (time, sequence): what lies after the last one is still pending.
    let isPending =
      handle.time.nanoseconds > lastTime
      || (handle.time.nanoseconds == lastTime && handle.sequence > lastSequence)
    if isPending {
      cancelled.insert(handle.sequence)
      hasCancelled = true
    }
  }

  @usableFromInline
  mutating func grow() {
    let (newAllocation, newHeap) = Self.allocate(capacity * 2)
    newHeap.update(from: heap, count: size)
    allocation.deallocate()
    allocation = newAllocation
    heap = newHeap
    capacity *= 2
  }

  @inlinable @inline(__always)
  mutating func fillHole() {
    guard hasHole else { return }
    hasHole = false
    size -= 1
    if size > 0 { siftDown(heap[size]) }
  }

  @inlinable @inline(__always)
  mutating func siftUp(_ record: Record) {
    let heap = self.heap
    let key = record.key
    var i = size
    size += 1
    while i > 0 {
      let parent = (i &- 1) >> 2
      if key >= heap[parent].key { break }
      heap[i] = heap[parent]
      i = parent
    }
    heap[i] = record
  }

  @inlinable @inline(__always)
  mutating func siftDown(_ record: Record) {
    let heap = self.heap
    let size = self.size
    let key = record.key
    var i = 0
    while true {
      let child = i &* 4 &+ 1
      var least: Int
      if child &+ 4 <= size {
        let a = child &+ (heap[child &+ 1].key < heap[child].key ? 1 : 0)
        let b = child &+ 2 &+ (heap[child &+ 3].key < heap[child &+ 2].key ? 1 : 0)
        least = heap[b].key < heap[a].key ? b : a
      } else {
        if child >= size { break }
        least = child
        var k = child &+ 1
        while k < size {
          if heap[k].key < heap[least].key { least = k }
          k &+= 1
        }
      }
      if key <= heap[least].key { break }
      heap[i] = heap[least]
      i = least
    }
    heap[i] = record
  }
}
