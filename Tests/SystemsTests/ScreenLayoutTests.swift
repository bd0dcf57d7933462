import Ladder
import Layout
import Testing

@Suite("Tile positions in pixels")
struct ScreenLayoutTests {
  private func frame(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelFrame {
    PixelFrame(x: x, y: y, width: width, height: height)
  }

  /// Thirds of 100 points at two pixels each: edges at 66.67 and 133.33 pixels.
  @Test func neighboursMeetWhereTheirEdgesAreRounded() {
    let tiles = (0..<3).map { GridTile(x: Double($0) * 100 / 3, y: 0, width: 100.0 / 3, height: 10) }
    let frames = tiles.map { PixelFrame($0, scale: 2) }
    #expect(frames == [frame(0, 0, 67, 20), frame(67, 0, 66, 20), frame(133, 0, 67, 20)])
  }

  @Test func aShareOfATileIsNoughtOrWholeOnlyIfItIs() {
    let tile = frame(0, 0, 1000, 100)
    #expect(tile.tenThousandths(within: frame(0, 0, 1000, 100)) == 10_000)
    #expect(tile.tenThousandths(within: frame(500, 50, 1000, 100)) == 2_500)
    #expect(tile.tenThousandths(within: frame(0, 100, 1000, 100)) == 0)
    // One pixel of 100,000, and all but one line of them.
    #expect(tile.tenThousandths(within: frame(999, 99, 5, 5)) == 1)
    #expect(frame(0, 0, 30_000, 10).tenThousandths(within: frame(1, 0, 30_000, 10)) == 9_999)
  }

  @Test func aSourceHasOneTile() {
    var layout = ScreenLayout(screen: frame(0, 0, 100, 100), visibleHeight: 50)
    layout.place(3, at: frame(0, 0, 100, 100), .stage)
    layout.place(1, at: frame(0, 60, 10, 10), .grid)
    layout.place(3, at: frame(0, 0, 10, 10), .grid)
    layout.place(2, at: frame(0, 0, 10, 10), .window, z: 1, isHidden: true)
    #expect(layout.tiles.map(\.source) == [1, 2, 3])
    #expect(layout.tiles.map(\.visibleTenThousandths) == [0, 0, 5_000])
    #expect(layout.tiles.map(\.area) == [.grid, .window, .stage])
  }

  @Test func rowsEndWhereTheNextTileWouldNotFit() {
    let sizes = [(60, 20), (40, 30), (10, 10), (200, 10), (50, 10)]
      .map { Resolution(width: $0.0, height: $0.1) }
    #expect(
      AutomaticPlacement.rows(sizes, width: 100, top: 5) == [
        frame(0, 5, 60, 20), frame(60, 5, 40, 30), frame(0, 35, 10, 10), frame(0, 45, 200, 10),
        frame(0, 55, 50, 10),
      ])
    // Five tiles have three columns, of at least 10 pixels; the widest takes more.
    #expect(AutomaticPlacement.rowWidth(sizes) == 200)
    #expect(AutomaticPlacement.rowWidth(Array(repeating: .p90, count: 17)) == 5 * 160)
  }

  /// Five tiles in three columns and two rows; 100 is not divisible by three.
  @Test func anEvenGridFillsTheScreen() {
    let frames = AutomaticPlacement.evenGrid(5, on: Resolution(width: 100, height: 50))
    #expect(
      frames == [
        frame(0, 0, 33, 25), frame(33, 0, 33, 25), frame(66, 0, 34, 25), frame(0, 25, 33, 25),
        frame(33, 25, 33, 25),
      ])
    #expect(AutomaticPlacement.evenGrid(0, on: Resolution(width: 100, height: 50)).isEmpty)
  }
}
