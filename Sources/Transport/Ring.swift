/// Growing FIFO ring buffer whose positions only increase, so that an element can be looked up by its position while
/// it is held.
///
/// Trivially copyable, so that it can be stored in a ``SimulationKernel/Table``; the owner must call ``deallocate()``.
package struct Ring<Element: BitwiseCopyable>: BitwiseCopyable {
  private var base: UnsafeMutablePointer<Element>
  private var mask: Int
  /// Position of the oldest element.
  package private(set) var head = 0
  /// Position after the newest element.
  package private(set) var tail = 0

  /// - Parameter capacity: a power of two.
  package init(capacity: Int) {
    precondition(capacity > 0 && capacity & (capacity - 1) == 0, "capacity \(capacity) is not a power of two")
    base = .allocate(capacity: capacity)
    mask = capacity - 1
  }

  package func deallocate() { base.deallocate() }

  package var isEmpty: Bool { head == tail }
  package var count: Int { tail - head }

  /// Checks whether the element at a position is still held.
  package func holds(_ position: Int) -> Bool { position >= head && position < tail }

  /// Accesses the element at a held position.
  package subscript(position: Int) -> Element {
    get {
      assert(holds(position))
      return base[position & mask]
    }
    set {
      assert(holds(position))
      base[position & mask] = newValue
    }
  }

  /// Returns the contiguous elements from a held position on; valid until the next append.
  package func run(from position: Int) -> UnsafeBufferPointer<Element> {
    assert(holds(position))
    return UnsafeBufferPointer(
      start: base + (position & mask), count: min(tail - position, mask + 1 - (position & mask)))
  }

  package var first: Element? { isEmpty ? nil : base[head & mask] }

  /// Appends an element, growing the ring if it is full.
  @inline(__always)
  package mutating func append(_ element: Element) {
    if tail &- head > mask { grow() }
    (base + (tail & mask)).initialize(to: element)
    tail &+= 1
  }

  /// Appends an element; drops the oldest one if there are already `limit` (a power of two).
  @inline(__always)
  package mutating func append(_ element: Element, limit: Int) {
    if tail &- head >= limit { head &+= 1 }
    append(element)
  }

  package mutating func removeFirst() -> Element? {
    guard head != tail else { return nil }
    defer { head += 1 }
    return base[head & mask]
  }

  /// Removes all elements before a position.
  package mutating func removeAll(before position: Int) { head = min(max(head, position), tail) }

  package mutating func removeAll() { head = tail }

  @inline(never)
  private mutating func grow() {
    let grownMask = mask << 1 | 1
    let grown = UnsafeMutablePointer<Element>.allocate(capacity: grownMask + 1)
    for position in head..<tail { grown[position & grownMask] = base[position & mask] }
    base.deallocate()
    base = grown
    mask = grownMask
  }
}
