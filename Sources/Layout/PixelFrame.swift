/// A rectangle in whole pixels; `x` and `y` are its top left corner.
package struct PixelFrame: Hashable, Sendable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Converts a tile in points, rounding each of its edges, so that neighbours stay adjacent.
  package init(_ tile: GridTile, scale: Double) {
    x = Int((tile.x * scale).rounded())
    y = Int((tile.y * scale).rounded())
    width = Int(((tile.x + tile.width) * scale).rounded()) - x
    height = Int(((tile.y + tile.height) * scale).rounded()) - y
  }

  /// Right edge, exclusive.
  package var right: Int { x + width }
  /// Bottom edge, exclusive.
  package var bottom: Int { y + height }

  /// Returns the share of the rectangle's area that another one covers [1/10,000]; 0 only if they share no pixel, and
  /// 10,000 only if it is fully covered.
  package func tenThousandths(within other: PixelFrame) -> Int {
    let across = min(right, other.right) - max(x, other.x)
    let down = min(bottom, other.bottom) - max(y, other.y)
    guard across > 0, down > 0 else { return 0 }
    let (part, whole) = (across * down, width * height)
    return part == whole ? 10_000 : min(max((part * 10_000 + whole / 2) / whole, 1), 9_999)
  }
}
