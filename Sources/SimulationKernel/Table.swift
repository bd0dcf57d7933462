/// Storage for the entities of a simulation, indexed without bounds checks in release builds.
///
/// Accessing an array in a struct passed `inout` is three times as expensive in a loop over packets. Elements are
/// read and mutated in place and can be noncopyable. Indices are internal, never user input.
@frozen
public struct Table<Element: ~Copyable>: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<Element>
  /// Number of elements.
  public internal(set) var count: Int
  @usableFromInline var capacity: Int

  /// Creates an empty table.
  public init() {
    capacity = 4
    base = .allocate(capacity: capacity)
    count = 0
  }

  deinit {
    base.deinitialize(count: count)
    base.deallocate()
  }

  /// Adds an element at the end. Amortised O(1).
  public mutating func append(_ element: consuming Element) {
    if count == capacity {
      let grown = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
      grown.moveInitialize(from: base, count: count)
      base.deallocate()
      base = grown
      capacity *= 2
    }
    (base + count).initialize(to: element)
    count += 1
  }

  /// Element at an index below ``count``; checked in debug builds only.
  @inlinable
  public subscript(index: Int) -> Element {
    @inline(__always) unsafeAddress {
      assert(index >= 0 && index < count)
      return UnsafePointer(base + index)
    }
    @inline(__always) unsafeMutableAddress {
      assert(index >= 0 && index < count)
      return base + index
    }
  }

  /// Returns the address of an element, for code that accesses several of its fields in a row; valid until the next
  /// append.
  @inlinable @inline(__always)
  public func address(of index: Int) -> UnsafeMutablePointer<Element> {
    assert(index >= 0 && index < count)
    return base + index
  }
}

extension Table {
  /// Creates a table of equal elements.
  public init(repeating element: Element, count: Int) {
    capacity = max(count, 4)
    base = .allocate(capacity: capacity)
    base.initialize(repeating: element, count: count)
    self.count = count
  }
}
