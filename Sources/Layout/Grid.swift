package import Ladder

/// A phone or window: size in points, and pixels per point.
package struct Screen: Hashable, Sendable {
  package var width: Double
  package var height: Double
  package var scale: Double

  package init(width: Double, height: Double, scale: Double) {
    self.width = width
    self.height = height
    self.scale = scale
  }
}

/// A tile of a grid, in points; `y` counts from the top of the grid's content.
package struct GridTile: Hashable, Sendable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Size on the display [px].
  package func pixels(scale: Double) -> Resolution {
    Resolution(width: Int((width * scale).rounded()), height: Int((height * scale).rounded()))
  }

  /// Share of the tile's height that is between `top` and `bottom` of the content, 0 to 1.
  package func visibleShare(top: Double, bottom: Double) -> Double {
    let visible = min(y + height, bottom) - max(y, top)
    return max(0, min(1, visible / height))
  }
}

/// The arrangements of scrolling grids.
package enum Grid: String, Hashable, Sendable, CaseIterable {
  /// Two columns of squares as in Agora's scalable-UI guide: a side of half the width less 40 points, rows 10 points
  /// apart, 10 above the first, 50 below the last kept free.
  case agoraSquares = "agora-squares"
  /// GetStream's iOS grid: two columns of three rows upright, three of two across, 8 points apart.
  case streamGrid = "stream-grid"

  /// GetStream's JavaScript gallery: pages of at most 16, each as high as the screen, with as many columns as a square
  /// of its tiles would have across the longer side (the columns are our model).
  case streamPages = "stream-pages"

  /// The tiles of a grid in the order of its participants.
  package func tiles(count: Int, on screen: Screen) -> [GridTile] {
    switch self {
    case .agoraSquares:
      let side = screen.width / 2 - 40
      return (0..<count).map { index in
        GridTile(
          x: index % 2 == 0 ? 10 : screen.width / 2 + 30, y: 10 + Double(index / 2) * (side + 10),
          width: side,
          height: side)
      }
    case .streamGrid:
      let columns = screen.height >= screen.width ? 2 : 3
      let rows = columns == 2 ? 3 : 2
      let width = (screen.width - 8 * Double(columns + 1)) / Double(columns)
      let height = (screen.height - 8 * Double(rows + 1)) / Double(rows)
      return (0..<count).map { index in
        GridTile(
          x: 8 + Double(index % columns) * (width + 8), y: 8 + Double(index / columns) * (height + 8),
          width: width, height: height)
      }
    case .streamPages:
      return (0..<count).map { Self.pagedTile($0, of: count, perPage: 16, on: screen) }
    }
  }

  private static func pagedTile(_ index: Int, of count: Int, perPage: Int, on screen: Screen) -> GridTile {
    let page = index / perPage
    let onPage = min(count - page * perPage, perPage)
    let place = index % perPage
    var long = 1
    while long * long < onPage { long += 1 }
    let short = (onPage + long - 1) / long
    let columns = screen.width > screen.height ? long : short
    let rows = screen.width > screen.height ? short : long
    let width = screen.width / Double(columns)
    let height = screen.height / Double(rows)
    return GridTile(
      x: Double(place % columns) * width, y: Double(page) * screen.height + Double(place / columns) * height,
      width: width, height: height)
  }

  /// Height of the part of the screen that shows the grid [pt].
  package func visibleHeight(on screen: Screen) -> Double {
    self == .agoraSquares ? screen.height - 50 : screen.height
  }
}
