package import Ladder

/// Placement of tiles whose position the view does not specify [our model].
package enum AutomaticPlacement {
  /// Screen size if neither the view nor its tiles specify one [px].
  package static let screen = Resolution(width: 1280, height: 720)

  /// Returns the row width for tiles of known sizes on a screen of unspecified size [px].
  ///
  /// A row fits as many of the narrowest tiles as there are columns in the smallest square grid that holds all tiles,
  /// and it always fits the widest tile.
  package static func rowWidth(_ sizes: [Resolution]) -> Int {
    let widths = sizes.map(\.width)
    return max(columns(for: sizes.count) * (widths.min() ?? 0), widths.max() ?? 0)
  }

  /// Places tiles of known sizes from left to right, in rows as tall as their tallest tile, without spacing.
  ///
  /// - Parameters:
  ///   - width: row width; a wider tile gets its own row [px].
  ///   - top: top of the first row [px].
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

  /// Places tiles of unknown sizes in the smallest square grid that holds them all; without its empty rows, the grid
  /// fills the screen.
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

  /// Returns the number of columns of the smallest square grid for this many tiles.
  private static func columns(for count: Int) -> Int {
    var columns = 1
    while columns * columns < count { columns += 1 }
    return columns
  }
}
