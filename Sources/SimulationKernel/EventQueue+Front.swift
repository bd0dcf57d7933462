/// The sorted events at the front of the queue.
extension EventQueue {
  @inlinable
  mutating func pushIntoFront(_ record: Record) {
    if tail &- head >= Self.longFront || tail == frontCapacity {
      guard !splitFront() else {
        if record.time >= frontEnd { pushBehindFront(record) } else { insert(record) }
        return
      }
      if tail == frontCapacity { makeRoom() }
    }
    insert(record)
  }

  /// Inserts a record, searching from the end: it comes last among the events at its time.
  @inlinable @inline(__always)
  mutating func insert(_ record: Record) {
    let front = self.front
    let key = record.key
    var i = tail
    while i > head, key < front[i &- 1].key {
      front[i] = front[i &- 1]
      i &-= 1
    }
    front[i] = record
    tail &+= 1
  }

  /// Moves the events of a long front into a rung, unless all are at the same time; `true` if it did.
  @usableFromInline
  mutating func splitFront() -> Bool {
    guard tail - head >= Self.longFront, front[head].time < front[tail - 1].time else { return false }
    guard rungCount < Self.mostRungs else {
      collapse()
      return true
    }
    addRung(from: front[head].time, to: frontEnd, count: tail - head)
    for place in head..<tail { put(front[place], into: takeNode(), of: rungCount - 1) }
    head = 0
    tail = 0
    return true
  }

  /// Makes room for another record.
  @usableFromInline
  mutating func makeRoom() {
    let count = tail - head
    if head < frontCapacity / 2 {
      let grown = UnsafeMutablePointer<Record>.allocate(capacity: frontCapacity * 2)
      grown.update(from: front + head, count: count)
      front.deallocate()
      front = grown
      frontCapacity *= 2
    } else {
      front.update(from: front + head, count: count)
    }
    head = 0
    tail = count
  }

  /// Fills the empty front with the next events; `false` if there are none.
  mutating func refillFront() -> Bool {
    head = 0
    tail = 0
    while rungCount > 0 || beyondCount > 0 {
      if rungCount > 0 ? takeBucket() : takeBeyond() { return true }
    }
    return false
  }

  /// Moves the events of a list to the empty front, unless there are more than `limit`; `true` if it did.
  ///
  /// Most lists are in time order, forwards or backwards, so the front grows at both ends.
  @inline(__always)
  mutating func take(_ list: Int32, atMost limit: Int) -> Bool {
    let (front, nodes) = (self.front, self.nodes)
    var node = list
    var last = list
    var (start, end) = (limit, limit)
    while node >= 0 {
      if end &- start == limit { return false }
      let record = nodes[Int(node)].record
      let key = record.key
      if start == end || key < front[start].key {
        start &-= 1
        front[start] = record
      } else {
        var i = end
        while key < front[i &- 1].key {
          front[i] = front[i &- 1]
          i &-= 1
        }
        front[i] = record
        end &+= 1
      }
      last = node
      node = nodes[Int(node)].next
    }
    nodes[Int(last)].next = free
    free = list
    head = start
    tail = end
    return true
  }

  /// Moves all events of a long list to the empty front.
  mutating func takeAll(_ list: Int32, count: Int) {
    while frontCapacity < count { makeRoom() }
    var node = list
    while node >= 0 {
      let next = nodes[Int(node)].next
      front[tail] = nodes[Int(node)].record
      tail += 1
      nodes[Int(node)].next = free
      free = node
      node = next
    }
    var records = UnsafeMutableBufferPointer(start: front, count: tail)
    records.sort { $0.key < $1.key }
  }
}
