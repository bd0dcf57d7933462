public import Quantity

/// Pending events, ordered by time and then by order of scheduling.
///
/// A ladder queue (Tang, Goh and Thng, ACM TOMACS 15(3), 2005). The next events are sorted in an array, the *front*.
/// Later ones wait unsorted: those of the near future in the buckets of a *rung*, each for a narrow range of times,
/// and those beyond all rungs in one list. When the front is empty, the next bucket is sorted into it or, if it has
/// many events, split into a rung of narrower buckets. An event is thus moved a few times, and compared with a few
/// others each time. docs/speed.md compares the speed with that of a heap.
///
/// Events at the same time cannot be split: they are sorted once, and those scheduled for the current time are
/// appended to the front. If the front grows long in any other way, its events are moved back into a rung.
///
/// Push and pop are O(1) on average; cancelling is O(1) and holds no memory once the event's time has passed.
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

    /// Key for a branchless comparison; times are never negative.
    @inlinable @inline(__always)
    var key: UInt128 { UInt128(_low: order, _high: UInt64(bitPattern: time)) }
  }

  /// An unsorted event in the list of a bucket, in ``beyond``, or in the list of free nodes.
  @frozen
  @usableFromInline
  struct Node: BitwiseCopyable {
    @usableFromInline var record: Record
    /// Index of the next node in the list; -1 after the last.
    @usableFromInline var next: Int32

    @inlinable @inline(__always)
    init(record: Record, next: Int32) {
      self.record = record
      self.next = next
    }
  }

  /// Buckets of equal width that divide a range of times.
  @frozen
  @usableFromInline
  struct Rung: BitwiseCopyable {
    /// Start of the first bucket [ns].
    @usableFromInline var start: Int64
    /// Start of the first bucket that has not been emptied yet [ns].
    @usableFromInline var from: Int64
    /// Binary logarithm of a bucket's width [ns].
    @usableFromInline var shift: Int64
    /// First node of each bucket; -1 if it is empty.
    @usableFromInline var heads: UnsafeMutablePointer<Int32>
    /// Bit for each bucket, set if it has events.
    @usableFromInline var occupied: UnsafeMutablePointer<UInt64>
    @usableFromInline var bucketCount: Int
    @usableFromInline var capacity: Int
  }

  /// Sorted records, from ``head`` up to ``tail``.
  @usableFromInline var front: UnsafeMutablePointer<Record>
  @usableFromInline var frontCapacity: Int
  @usableFromInline var head: Int
  @usableFromInline var tail: Int
  /// Events before this time belong to the front [ns].
  @usableFromInline var frontEnd: Int64
  /// Rungs, each of which divides a bucket of the one before.
  @usableFromInline var rungs: UnsafeMutablePointer<Rung>
  @usableFromInline var rungCount: Int
  /// Number of rungs with allocated buckets, whether in use or not.
  @usableFromInline var allocatedRungs: Int
  /// First node of the list of events later than all rungs; -1 if there are none.
  @usableFromInline var beyond: Int32
  @usableFromInline var beyondCount: Int
  /// Events from this time on belong to ``beyond`` [ns].
  @usableFromInline var beyondStart: Int64
  /// Earliest time in ``beyond`` [ns].
  @usableFromInline var beyondLeast: Int64
  /// Latest time in ``beyond`` [ns].
  @usableFromInline var beyondGreatest: Int64
  @usableFromInline var nodes: UnsafeMutablePointer<Node>
  @usableFromInline var nodeCapacity: Int
  /// First node of the list of free nodes; -1 if there are none.
  @usableFromInline var free: Int32
  @usableFromInline var size: Int
  @usableFromInline var nextSequence: UInt64
  @usableFromInline var lastTime: Int64
  @usableFromInline var lastSequence: UInt64
  /// Sequences of cancelled events that are still in the queue; consulted only while there are any.
  @usableFromInline var cancelled: Set<UInt64>
  /// Set while ``cancelled`` has members: a flag is cheaper to test than the set.
  @usableFromInline var hasCancelled: Bool

  /// Length from which the front accepts no more events, unless all are at the same time.
  @usableFromInline static var longFront: Int { 64 }

  /// Creates an empty queue.
  public init(capacity: Int = 256) {
    frontCapacity = 2 * Self.longFront
    front = .allocate(capacity: frontCapacity)
    head = 0
    tail = 0
    frontEnd = 0
    rungs = .allocate(capacity: Self.mostRungs)
    rungCount = 0
    allocatedRungs = 0
    beyond = -1
    beyondCount = 0
    beyondStart = 0
    beyondLeast = .max
    beyondGreatest = 0
    nodeCapacity = 0
    nodes = .allocate(capacity: 0)
    free = -1
    size = 0
    nextSequence = 0
    lastTime = -1
    lastSequence = 0
    cancelled = []
    hasCancelled = false
    growNodes(to: max(capacity, 16))
  }

  deinit {
    front.deallocate()
    for rung in 0..<allocatedRungs {
      rungs[rung].heads.deallocate()
      rungs[rung].occupied.deallocate()
    }
    rungs.deallocate()
    nodes.deallocate()
  }

  /// Number of pending events.
  @inlinable
  public var count: Int { size - cancelled.count }

  /// Reserves a sequence number for an event that is pushed later.
  ///
  /// A FIFO link reserves one per packet and keeps only the event of its head in the queue; events still run in the
  /// same order as if the queue held every packet.
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
    precondition(tag < 1 << 24, "a tag of more than 24 bits")
    let record = Record(time: time.nanoseconds, order: sequence << 24 | UInt64(tag))
    size &+= 1
    if record.time >= frontEnd { pushBehindFront(record) } else { pushIntoFront(record) }
  }

  /// Removes and returns the next event; `nil` if there is none.
  @inlinable @inline(__always)
  public mutating func pop() -> Event? { pop(until: SimTime(nanoseconds: .max)) }

  /// Removes and returns the next event if it is due by `end`; otherwise leaves it and returns `nil`.
  @inlinable @inline(__always)
  public mutating func pop(until end: SimTime) -> Event? {
    if head == tail || hasCancelled, !findNext() { return nil }
    let record = front[head]
    guard record.time <= end.nanoseconds else { return nil }
    head &+= 1
    size &-= 1
    lastTime = record.time
    lastSequence = record.order >> 24
    return Event(
      time: SimTime(nanoseconds: record.time), sequence: lastSequence,
      tag: UInt32(truncatingIfNeeded: record.order & 0xff_ffff))
  }

  /// Brings the next event that is not cancelled to the start of the front; `false` if there is none.
  @usableFromInline
  mutating func findNext() -> Bool {
    while true {
      if head == tail, !refillFront() { break }
      guard hasCancelled, cancelled.remove(front[head].order >> 24) != nil else { break }
      head += 1
      size -= 1
    }
    if hasCancelled { hasCancelled = !cancelled.isEmpty }
    return head < tail
  }

  /// Cancels an event; no effect if it has already run or been cancelled.
  public mutating func cancel(_ handle: EventHandle) {
    // Events run in the order of (time, sequence), so everything after the last one is still pending.
    let isPending =
      handle.time.nanoseconds > lastTime
      || (handle.time.nanoseconds == lastTime && handle.sequence > lastSequence)
    if isPending {
      cancelled.insert(handle.sequence)
      hasCancelled = true
    }
  }
}
