package import Layout
import Systems

extension Grid {
  /// Square tiles as in Agora's scalable-UI guide, in rows from the top: each side is half the width at set-up, minus
  /// 40 points. Insets and minimum spacings are 10 points; the bottom 50 points of the screen show no tiles.
  ///
  /// As in a vertical `UICollectionViewFlowLayout`, a row has as many tiles as fit, spread over its width: two on the
  /// portrait screen at set-up. When the screen rotates, tiles keep their size.
  package static let agoraSquares = Grid(
    name: "agora-squares", bottomInset: 10, visibleHeight: { $0.height - 50 },
    arrange: { count, screen, setUp in
      let side = setUp.width / 2 - 40
      let width = screen.width - 20
      let columns = max(1, Int((width + 10) / (side + 10)))
      // A tile that is alone in its row is centred.
      let spacing = columns > 1 ? (width - Double(columns) * side) / Double(columns - 1) : 0
      let left = columns > 1 ? 10 : 10 + (width - side) / 2
      return (0..<count).map { index in
        GridTile(
          x: left + Double(index % columns) * (side + spacing),
          y: 10 + Double(index / columns) * (side + 10), width: side, height: side)
      }
    })
}
