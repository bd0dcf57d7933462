public import Ladder

/// Picture sizes that packets refer to by number.
public struct PictureSizes {
  @usableFromInline var sizes: [Resolution] = []

  package init() {}

  /// Returns the size [px] with a number.
  @inlinable public subscript(number: UInt16) -> Resolution { sizes[Int(number)] }

  /// Returns the number of a size.
  package mutating func number(of size: Resolution) -> UInt16 {
    if let known = sizes.firstIndex(of: size) { return UInt16(known) }
    sizes.append(size)
    return UInt16(sizes.count - 1)
  }
}
