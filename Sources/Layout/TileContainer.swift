package import Ladder

/// A scrolling container of tiles, arranged like SwiftUI's `LazyVStack`, `LazyHStack` and `LazyVGrid`.
package struct TileContainer: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Tiles from top to bottom; scrolls vertically.
    case list
    /// Tiles side by side; scrolls horizontally.
    case row
    /// Rows of ``TileContainer/columns`` tiles, each as tall as its tallest tile; scrolls vertically.
    case grid
  }

  package var kind: Kind
  /// Size of a tile that does not specify one [pt].
  package var tile: Resolution
  /// Distance between tiles [pt].
  package var spacing: Double
  /// Number of columns of a grid, each as wide as ``tile``.
  package var columns: Int
  /// Set if the viewer's own tile comes first.
  package var hasOwnTile: Bool

  package init(kind: Kind, tile: Resolution, spacing: Double = 8, columns: Int = 2, hasOwnTile: Bool = true) {
    self.kind = kind
    self.tile = tile
    self.spacing = spacing
    self.columns = columns
    self.hasOwnTile = hasOwnTile
  }

  /// Lays out the tiles from the top left corner of the content.
  ///
  /// - Parameter sizes: width and height of each tile [pt].
  package func tiles(_ sizes: [(width: Double, height: Double)]) -> [GridTile] {
    var tiles: [GridTile] = []
    var x = 0.0
    var y = 0.0
    var rowHeight = 0.0
    for (index, size) in sizes.enumerated() {
      tiles.append(GridTile(x: x, y: y, width: size.width, height: size.height))
      switch kind {
      case .list: y += size.height + spacing
      case .row: x += size.width + spacing
      case .grid:
        rowHeight = max(rowHeight, size.height)
        x += Double(tile.width) + spacing
        guard (index + 1) % columns == 0 else { continue }
        x = 0
        y += rowHeight + spacing
        rowHeight = 0
      }
    }
    return tiles
  }
}

extension GridTile {
  /// Returns the share of the tile's width between two horizontal offsets in the content, 0 to 1.
  package func visibleShare(left: Double, right: Double) -> Double {
    max(0, min(1, (min(x + width, right) - max(x, left)) / width))
  }
}
