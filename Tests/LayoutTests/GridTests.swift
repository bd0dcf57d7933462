import Layout
import Testing

@Suite("Grids")
struct GridTests {
  @Test(arguments: [
    (375.0, 667.0, 147.5, 8), (390, 844, 155, 10), (430, 932, 175, 10), (820, 1180, 370, 6),
  ])
  func agorasSquaresShowTheirKnownNumberOfTiles(width: Double, height: Double, side: Double, visible: Int) {
    let screen = Screen(width: width, height: height, scale: 1)
    let tiles = Grid.agoraSquares.tiles(count: 17, on: screen)
    #expect(tiles[0].width == side)
    let bottom = Grid.agoraSquares.visibleHeight(on: screen)
    #expect(tiles.filter { $0.visibleShare(top: 0, bottom: bottom) > 0 }.count == visible)
  }

  @Test func streamsGridIsTwoByThreeUprightAndThreeByTwoAcross() {
    let upright = Grid.streamGrid.tiles(count: 9, on: Screen(width: 390, height: 844, scale: 2))
    #expect(upright[2].x == upright[0].x && upright[6].y >= 844)
    let across = Grid.streamGrid.tiles(count: 9, on: Screen(width: 844, height: 390, scale: 2))
    #expect(across[3].x == across[0].x && across[5].y < 390 && across[6].y >= 390)
  }
}
