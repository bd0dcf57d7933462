/// The events that are not yet sorted.
extension EventQueue {
  /// Latest time of an event, 146 years, low enough for the ends of buckets to be valid times as well [ns].
  @usableFromInline static var latest: Int64 { 1 << 62 }

  /// Largest number of events in a bucket that is not split.
  private static var longBucket: Int { 32 }

  /// Largest number of rungs.
  ///
  /// Splitting a bucket yields buckets at most 1/32 as wide, so those of the thirteenth rung are 1 ns wide; events
  /// pushed at ever earlier times can add further rungs.
  static var mostRungs: Int { 14 }

  @inlinable
  mutating func pushBehindFront(_ record: Record) {
    let node = takeNode()
    if record.time >= beyondStart {
      precondition(record.time <= Self.latest, "an event at \(record.time) ns")
      putBeyond(record, into: node)
    } else {
      var rung = 0
      while record.time < rungs[rung].from { rung &+= 1 }
      put(record, into: node, of: rung)
    }
  }

  /// Adds a record to the list beyond all rungs.
  @inlinable @inline(__always)
  mutating func putBeyond(_ record: Record, into node: Int32) {
    nodes[Int(node)] = Node(record: record, next: beyond)
    beyond = node
    beyondCount &+= 1
    beyondLeast = min(beyondLeast, record.time)
    beyondGreatest = max(beyondGreatest, record.time)
  }

  /// Adds a record to its bucket in a rung.
  @inlinable @inline(__always)
  mutating func put(_ record: Record, into node: Int32, of rung: Int) {
    let rung = rungs + rung
    let bucket = Int(truncatingIfNeeded: (record.time &- rung.pointee.start) &>> rung.pointee.shift)
    nodes[Int(node)] = Node(record: record, next: rung.pointee.heads[bucket])
    rung.pointee.heads[bucket] = node
    rung.pointee.occupied[bucket &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: bucket & 63)
  }

  @inlinable @inline(__always)
  mutating func takeNode() -> Int32 {
    if free < 0 { growNodes(to: nodeCapacity * 2) }
    let node = free
    free = nodes[Int(node)].next
    return node
  }

  @usableFromInline
  mutating func growNodes(to capacity: Int) {
    let grown = UnsafeMutablePointer<Node>.allocate(capacity: capacity)
    grown.update(from: nodes, count: nodeCapacity)
    for node in nodeCapacity..<capacity {
      let next = node + 1 < capacity ? Int32(node + 1) : free
      (grown + node).initialize(to: Node(record: Record(time: 0, order: 0), next: next))
    }
    free = Int32(nodeCapacity)
    nodes.deallocate()
    nodes = grown
    nodeCapacity = capacity
  }

  /// Adds a rung whose buckets divide a range of times, about one for each of its events.
  mutating func addRung(from start: Int64, to end: Int64, count: Int) {
    precondition(rungCount < Self.mostRungs, "\(rungCount) rungs")
    let width = max(1, (end - start) / Int64(count))
    let shift = Int64(63 - width.leadingZeroBitCount)
    let buckets = Int((end - 1 - start) >> shift) + 1
    let rung = rungs + rungCount
    if rungCount == allocatedRungs || rung.pointee.capacity < buckets {
      if rungCount < allocatedRungs {
        rung.pointee.heads.deallocate()
        rung.pointee.occupied.deallocate()
      } else {
        allocatedRungs += 1
      }
      let words = (buckets + 63) / 64 * 2
      rung.initialize(
        to: Rung(
          start: start, from: start, shift: shift, heads: .allocate(capacity: words * 64),
          occupied: .allocate(capacity: words), bucketCount: buckets, capacity: words * 64))
    }
    rung.pointee.start = start
    rung.pointee.from = start
    rung.pointee.shift = shift
    rung.pointee.bucketCount = buckets
    rung.pointee.heads.update(repeating: -1, count: buckets)
    rung.pointee.occupied.update(repeating: 0, count: (buckets + 63) / 64)
    rungCount += 1
    frontEnd = start
  }

  /// Moves the events beyond all rungs to the empty front; `false` if there are so many that they become a rung
  /// instead.
  mutating func takeBeyond() -> Bool {
    let (list, start) = (beyond, beyondLeast)
    beyondStart = beyondGreatest + 1
    frontEnd = beyondStart
    beyond = -1
    beyondCount = 0
    beyondLeast = .max
    beyondGreatest = 0
    return take(list, from: start, to: beyondStart)
  }

  /// Moves the events of the front and of all rungs to the list beyond the rungs. Needed when events, each earlier than
  /// the one before, have made the front long again and again until no rung is left.
  mutating func collapse() {
    let start = front[head].time
    for place in head..<tail { putBeyond(front[place], into: takeNode()) }
    head = 0
    tail = 0
    for rung in 0..<rungCount {
      for word in 0..<(rungs[rung].bucketCount + 63) / 64 {
        var bits = rungs[rung].occupied[word]
        while bits != 0 {
          var node = rungs[rung].heads[word * 64 + bits.trailingZeroBitCount]
          while node >= 0 {
            let next = nodes[Int(node)].next
            putBeyond(nodes[Int(node)].record, into: node)
            node = next
          }
          bits &= bits - 1
        }
      }
    }
    rungCount = 0
    beyondStart = start
    frontEnd = start
  }

  /// Moves the next events of the last rung to the empty front; `false` if there are none, in which case the rung is
  /// removed, or so many that they become another rung instead.
  mutating func takeBucket() -> Bool {
    let rung = rungs + (rungCount - 1)
    let end = rungCount > 1 ? rungs[rungCount - 2].from : beyondStart
    let words = (rung.pointee.bucketCount + 63) / 64
    var word = Int((rung.pointee.from - rung.pointee.start) >> rung.pointee.shift) / 64
    while word < words, rung.pointee.occupied[word] == 0 { word += 1 }
    guard word < words else {
      rungCount -= 1
      frontEnd = end
      return false
    }
    let bits = rung.pointee.occupied[word]
    rung.pointee.occupied[word] = bits & (bits - 1)
    let bucket = word * 64 + bits.trailingZeroBitCount
    let start = rung.pointee.start + Int64(bucket) << rung.pointee.shift
    // The last bucket may be wider than the rest of the range.
    rung.pointee.from = min(start + 1 << rung.pointee.shift, end)
    frontEnd = rung.pointee.from
    return take(rung.pointee.heads[bucket], from: start, to: frontEnd)
  }

  /// Moves a list of events in a range of times to the empty front, unless there are many and they can be split.
  @inline(__always)
  private mutating func take(_ list: Int32, from start: Int64, to end: Int64) -> Bool {
    if take(list, atMost: Self.longBucket) { return true }
    var count = 0
    var node = list
    while node >= 0 {
      count += 1
      node = nodes[Int(node)].next
    }
    guard end - start > 1 else {
      takeAll(list, count: count)
      return true
    }
    split(list, from: start, to: end, count: count)
    return false
  }

  /// Turns a list into a rung.
  private mutating func split(_ list: Int32, from start: Int64, to end: Int64, count: Int) {
    addRung(from: start, to: end, count: count)
    var node = list
    while node >= 0 {
      let next = nodes[Int(node)].next
      put(nodes[Int(node)].record, into: node, of: rungCount - 1)
      node = next
    }
  }
}
