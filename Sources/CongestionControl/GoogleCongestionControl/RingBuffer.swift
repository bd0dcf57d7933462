/// A queue that is read at any place and grows to its steady size, after which it allocates no more.
struct RingBuffer<Element: BitwiseCopyable & Sendable>: Sendable {
  private var storage: [Element] = []
  private var head = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  var first: Element? { isEmpty ? nil : self[0] }
  var last: Element? { isEmpty ? nil : self[count - 1] }

  /// The element `index` places behind the first, below ``count``: checked in debug builds alone; the capacity is a
  /// power of two.
  subscript(index: Int) -> Element {
    @inline(__always) get {
      assert(index >= 0 && index < count)
      return storage.withUnsafeBufferPointer { $0[(head &+ index) & ($0.count &- 1)] }
    }
    @inline(__always) set {
      assert(index >= 0 && index < count)
      let head = head
      storage.withUnsafeMutableBufferPointer { $0[(head &+ index) & ($0.count &- 1)] = newValue }
    }
  }

  /// Calls with every element from the first to the last, without a check for each.
  @inline(__always)
  func forEach(_ body: (Element) -> Void) {
    let end = min(head + count, storage.count)
    storage.withUnsafeBufferPointer { elements in
      for index in head..<end { body(elements[index]) }
      for index in 0..<(head + count - end) { body(elements[index]) }
    }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == storage.count { grow(with: element) }
    count += 1
    self[count - 1] = element
  }

  mutating func removeFirst() {
    precondition(count > 0, "nothing to remove from an empty buffer")
    head = (head + 1) & (storage.count - 1)
    count -= 1
  }

  mutating func removeLast() {
    precondition(count > 0, "nothing to remove from an empty buffer")
    count -= 1
  }

  mutating func removeAll() {
    head = 0
    count = 0
  }

  @inline(never)
  private mutating func grow(with filler: Element) {
    var larger: [Element] = []
    larger.reserveCapacity(max(16, 2 * count))
    for index in 0..<count { larger.append(self[index]) }
    while larger.count < max(16, 2 * count) { larger.append(filler) }
    storage = larger
    head = 0
  }
}
