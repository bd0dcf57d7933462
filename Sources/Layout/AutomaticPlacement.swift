package import Ladder

/// Where tiles go of which the view states no place [our model].
package enum AutomaticPlacement {
  /// A screen of which nothing is said while tiles do not say it either [px].
  package static let screen = Resolution(width: 1280, height: 720)

  /// Width of the rows for tiles of known sizes on a screen of which nothing is said: as many of the narrowest as the
  /// smallest square grid for all has columns, and no less than the widest [px].
  package static func rowWidth(_ sizes: [Resolution]) -> Int {
    let widths = sizes.map(\.width)
    return max(columns(for: sizes.count) * (widths.min() ?? 0), widths.max() ?? 0)
  }

  /// Tiles of known sizes from left to right, in rows as high as their highest tile, with no space between them.
  ///
  /// - Parameters:
  ///   - width: where a row ends; a tile that is wider has a row of its own [px].
  ///   - top: where the first row begins [px].
  package static func rows(_ sizes: [Resolution], width: Int, top: Int = 0) -> [PixelFrame] {
    var frames: [PixelFrame] = []
    var (x, y, rowHeight) = (0, top, 0)
    for size in sizes {
      if x > 0, x + size.width > width {
        x = 0
        y += rowHeight
        rowHeight = 0
      }
      frames.append(PixelFrame(x: x, y: y, width: size.width, height: size.height))
      x += size.width
      rowHeight = max(rowHeight, size.height)
    }
    return frames
  }

  /// Tiles of unknown sizes: the smallest square grid that holds them all, without its empty rows, fills the screen.
  package static func evenGrid(_ count: Int, on screen: Resolution) -> [PixelFrame] {
    let columns = columns(for: count)
    let rows = (count + columns - 1) / columns
    return (0..<count).map { index in
      let (column, row) = (index % columns, index / columns)
      let x = screen.width * column / columns
      let y = screen.height * row / rows
      return PixelFrame(
        x: x, y: y, width: screen.width * (column + 1) / columns - x,
        height: screen.height * (row + 1) / rows - y)
    }
  }

  /// Columns of the smallest square grid with room for so many tiles.
  private static func columns(for count: Int) -> Int {
    var columns = 1
    while columns * columns < count { columns += 1 }
    return columns
  }
}
