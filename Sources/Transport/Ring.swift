/// A first-in-first-out store that grows by doubling; its places only grow, so that an old place can be looked up while
/// it lasts.
///
/// Trivial, so that it can live in a ``SimulationKernel/Table``: whoever holds it calls ``deallocate()`` in the end.
package struct Ring<Element: BitwiseCopyable>: BitwiseCopyable {
  private var base: UnsafeMutablePointer<Element>
  private var mask: Int
  /// Places of the oldest element and behind the newest one.
  package private(set) var head = 0
  package private(set) var tail = 0

  /// - Parameter capacity: a power of two.
  package init(capacity: Int) {
    precondition(capacity > 0 && capacity & (capacity - 1) == 0, "capacity \(capacity) is no power of two")
    base = .allocate(capacity: capacity)
    mask = capacity - 1
  }

  package func deallocate() { base.deallocate() }

  package var isEmpty: Bool { head == tail }
  package var count: Int { tail - head }

  /// Whether a place still holds what was put there.
  package func holds(_ place: Int) -> Bool { place >= head && place < tail }

  /// The element at a place that ``holds(_:)``.
  package subscript(place: Int) -> Element {
    assert(holds(place))
    return base[place & mask]
  }

  /// The elements from a place that ``holds(_:)`` on, as many as stand together; valid until the next append.
  package func run(from place: Int) -> UnsafeBufferPointer<Element> {
    assert(holds(place))
    return UnsafeBufferPointer(
      start: base + (place & mask), count: min(tail - place, mask + 1 - (place & mask)))
  }

  package var first: Element? { isEmpty ? nil : base[head & mask] }

  /// Adds an element; the store grows when it is full.
  @inline(__always)
  package mutating func append(_ element: Element) {
    if tail &- head > mask { grow() }
    (base + (tail & mask)).initialize(to: element)
    tail &+= 1
  }

  /// Adds an element; the oldest one makes room for it when the store has reached `limit` (a power of two).
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

  /// Removes what stands before a place.
  package mutating func removeAll(before place: Int) { head = min(max(head, place), tail) }

  package mutating func removeAll() { head = tail }

  @inline(never)
  private mutating func grow() {
    let grownMask = mask << 1 | 1
    let grown = UnsafeMutablePointer<Element>.allocate(capacity: grownMask + 1)
    for place in head..<tail { grown[place & grownMask] = base[place & mask] }
    base.deallocate()
    base = grown
    mask = grownMask
  }
}
