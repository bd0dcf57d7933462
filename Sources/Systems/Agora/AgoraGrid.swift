package import Layout

extension Grid {
  /// Two columns of square tiles as in Agora's scalable-UI guide: each side is half the width minus 40 points, with a
  /// spacing of 10 points between and above rows and 50 points at the bottom.
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
