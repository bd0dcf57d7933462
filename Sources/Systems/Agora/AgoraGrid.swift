package import Layout

extension Grid {
  /// Two columns of squares as in Agora's scalable-UI guide: a side of half the width less 40 points, rows 10 points
  /// apart, 10 above the first, 50 below the last kept free.
  package static let agoraSquares = Grid(
    name: "agora-squares", visibleHeight: { $0.height - 50 },
    tiles: { count, screen in
      let side = screen.width / 2 - 40
      return (0..<count).map { index in
        GridTile(
          x: index % 2 == 0 ? 10 : screen.width / 2 + 30, y: 10 + Double(index / 2) * (side + 10),
          width: side, height: side)
      }
    })
}
