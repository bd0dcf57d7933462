public import Quantity

/// Pending events, ordered by time and then by order of scheduling.
///
/// An implicit 4-ary heap of 16-byte records, four siblings per cache line. A pop leaves the root vacant and the next
/// push fills it with a single sift, since handlers nearly always schedule; this saves a sixth of the time at 100
/// pending events. Ties, which are frequent in meetings, cost nothing, unlike in calendar and ladder queues.
///
/// Push and pop are O(log n); cancelling is O(1) and holds no memory once the event's time has passed.
@frozen
public struct EventQueue: ~Copyable {
  @frozen
  @usableFromInline
  struct Record: BitwiseCopyable {
    @usableFromInline var time: Int64
    /// 40 bits of sequence above 24 bits of tag: sequences are unique, so the tag never affects the order.
    @usableFromInline var order: UInt64

    @inlinable @inline(__always)
    init(time: Int64, order: UInt64) {
      self.time = time
      self.order = order
    }

    /// A branchless comparison; times are never negative.
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
  /// Sequences of cancelled events that are still in the heap; consulted only while there are any.
  @usableFromInline var cancelled: Set<UInt64>
  /// Whether ``cancelled`` has members: a flag is cheaper to test than the set.
  @usableFromInline var hasCancelled: Bool

  /// Children of record i begin at 4 i + 1: offset by three records they fill a cache line.
  @usableFromInline static var padding: Int { 3 }

  /// Creates an empty queue.
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

  /// Reserves a sequence number for an event that is pushed later.
  ///
  /// A FIFO link reserves one per packet and keeps only the event of its head in the queue; events still run in the
  /// order of a queue that holds every packet.
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

  /// Adds an event with a reserved sequence number.
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

  /// Removes and returns the next event; `nil` if there is none.
  @inlinable @inline(__always)
  public mutating func pop() -> Event? { pop(until: .distantFuture) }

  /// Removes and returns the next event if it is due by `end`; otherwise leaves it and returns `nil`.
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

  /// Removes cancelled events from the top of the heap.
  @usableFromInline
  mutating func dropCancelledHead() {
    while size > 0, cancelled.remove(heap[0].order >> 24) != nil {
      hasHole = true
      fillHole()
    }
    hasCancelled = !cancelled.isEmpty
  }

  /// Cancels an event; no effect if it has already run or been cancelled.
  public mutating func cancel(_ handle: EventHandle) {
    // Events run in the order of (time, sequence): everything after the last one is still pending.
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
