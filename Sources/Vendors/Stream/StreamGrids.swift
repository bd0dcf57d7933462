package import Layout
import Systems

extension Grid {
  /// GetStream's iOS grid, with 8 points between tiles: up to three remote participants are stacked in portrait and
  /// side by side in landscape, with the viewer's own tile floating above them; four are in two columns of two; five
  /// are in three rows of two in portrait, with the last place empty, and in rows of two and three in landscape; six or
  /// more are in a scrolling grid of two by three (`ParticipantsGridLayout`). The own tile counts from the fourth
  /// participant on.
  package static let streamGrid = Grid(name: "stream-grid", bottomInset: 8) { count, screen in
    let isPortrait = screen.height >= screen.width
    guard count > 3 else {
      let remotes = stacked(max(count - 1, 1), isPortrait, screen)
      // The viewer's own tile floats above the others and takes no place.
      return Array(([remotes[0]] + remotes).prefix(count))
    }
    guard count > 5 else {
      if isPortrait { return columns(of: count, screen) }
      let height = (screen.height - 8) / 2
      return row(2, y: 0, height: height, screen) + row(count - 2, y: height + 8, height: height, screen)
    }
    let columns = isPortrait ? 2 : 3
    let rows = isPortrait ? 3 : 2
    let width = (screen.width - 8 * Double(columns + 1)) / Double(columns)
    let height = (screen.height - 8 * Double(rows + 1)) / Double(rows)
    return (0..<count).map { index in
      GridTile(
        x: 8 + Double(index % columns) * (width + 8), y: 8 + Double(index / columns) * (height + 8),
        width: width, height: height)
    }
  }

  private static func stacked(_ count: Int, _ isPortrait: Bool, _ screen: Screen) -> [GridTile] {
    guard isPortrait else { return row(count, y: 0, height: screen.height, screen) }
    let height = (screen.height - 8 * Double(count - 1)) / Double(count)
    return (0..<count).map {
      GridTile(x: 0, y: Double($0) * (height + 8), width: screen.width, height: height)
    }
  }

  private static func row(_ count: Int, y: Double, height: Double, _ screen: Screen) -> [GridTile] {
    let width = (screen.width - 8 * Double(count - 1)) / Double(count)
    return (0..<count).map { GridTile(x: Double($0) * (width + 8), y: y, width: width, height: height) }
  }

  private static func columns(of count: Int, _ screen: Screen) -> [GridTile] {
    let rows = (count + 1) / 2
    let width = (screen.width - 8) / 2
    let height = (screen.height - 8 * Double(rows - 1)) / Double(rows)
    return (0..<count).map {
      GridTile(
        x: Double($0 % 2) * (width + 8), y: Double($0 / 2) * (height + 8), width: width, height: height)
    }
  }

  /// GetStream's JavaScript gallery: pages of up to 16 tiles, each page as tall as the screen; the longer side has as
  /// many tiles as the side of the smallest square grid that holds the page (our model).
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
