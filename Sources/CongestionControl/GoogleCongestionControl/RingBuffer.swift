/// Growing FIFO ring buffer with random access; once at its steady size it no longer allocates.
///
/// Noncopyable with exclusive storage: an array would check for uniqueness on every mutation.
struct RingBuffer<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
  private var base: UnsafeMutablePointer<Element>
  private var mask = 15
  private var head = 0
  private(set) var count = 0

  init() { base = .allocate(capacity: 16) }

  deinit { base.deallocate() }

  var isEmpty: Bool { count == 0 }
  var first: Element? { isEmpty ? nil : self[0] }
  var last: Element? { isEmpty ? nil : self[count &- 1] }

  /// Accesses the element at an index from the first, below ``count``; checked in debug builds only.
  subscript(index: Int) -> Element {
    @inline(__always) get {
      assert(index >= 0 && index < count)
      return base[(head &+ index) & mask]
    }
    @inline(__always) set {
      assert(index >= 0 && index < count)
      base[(head &+ index) & mask] = newValue
    }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count > mask { grow() }
    (base + ((head &+ count) & mask)).initialize(to: element)
    count &+= 1
  }

  /// Calls `body` with every element in order.
  @inline(__always)
  func forEach(_ body: (Element) -> Void) {
    let end = min(head &+ count, mask &+ 1)
    for slot in head..<end { body(base[slot]) }
    for slot in 0..<(head &+ count &- end) { body(base[slot]) }
  }

  mutating func removeFirst() {
    precondition(count > 0, "nothing to remove from an empty buffer")
    head = (head &+ 1) & mask
    count &-= 1
  }

  mutating func removeLast() {
    precondition(count > 0, "nothing to remove from an empty buffer")
    count &-= 1
  }

  mutating func removeAll() {
    head = 0
    count = 0
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: 2 * (mask + 1))
    for index in 0..<count { (larger + index).initialize(to: self[index]) }
    base.deallocate()
    base = larger
    mask = 2 * mask + 1
    head = 0
  }
}
