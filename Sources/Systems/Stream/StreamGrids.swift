package import Layout

extension Grid {
  /// GetStream's iOS grid: two columns of three rows in portrait, three columns of two rows in landscape, 8 points apart.
  package static let streamGrid = Grid(name: "stream-grid") { count, screen in
    let columns = screen.height >= screen.width ? 2 : 3
    let rows = columns == 2 ? 3 : 2
    let width = (screen.width - 8 * Double(columns + 1)) / Double(columns)
    let height = (screen.height - 8 * Double(rows + 1)) / Double(rows)
    return (0..<count).map { index in
      GridTile(
        x: 8 + Double(index % columns) * (width + 8), y: 8 + Double(index / columns) * (height + 8),
        width: width, height: height)
    }
  }

  /// GetStream's JavaScript gallery: pages of up to 16 tiles, each as high as the screen; the longer side has as many
  /// tiles as the side of the smallest square grid that holds the page (our model).
  package static let streamPages = Grid(name: "stream-pages") { count, screen in
    (0..<count).map { pagedTile($0, of: count, perPage: 16, on: screen) }
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
}
