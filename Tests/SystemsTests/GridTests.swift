import Layout
import Systems
import Testing

@Suite("Grids")
struct GridTests {
  @Test(arguments: [
    (375.0, 667.0, 147.5, 8), (390, 844, 155, 10), (430, 932, 175, 10), (820, 1180, 370, 6),
  ])
  func agorasSquaresShowTheirKnownNumberOfTiles(width: Double, height: Double, side: Double, visible: Int) {
    let screen = Screen(width: width, height: height, scale: 1)
    let tiles = Grid.agoraSquares.tiles(17, screen)
    #expect(tiles[0].width == side)
    let bottom = Grid.agoraSquares.visibleHeight(screen)
    #expect(tiles.filter { $0.visibleShare(top: 0, bottom: bottom) > 0 }.count == visible)
  }

  @Test func streamsGridIsTwoByThreeUprightAndThreeByTwoAcross() {
    let upright = Grid.streamGrid.tiles(9, Screen(width: 390, height: 844, scale: 2))
    #expect(upright[2].x == upright[0].x && upright[6].y >= 844)
    let across = Grid.streamGrid.tiles(9, Screen(width: 844, height: 390, scale: 2))
    #expect(across[3].x == across[0].x && across[5].y < 390 && across[6].y >= 390)
  }

  @Test func streamsGridStacksUpToThreeOthersAndHasTwoColumnsForFourAndFive() {
    let upright = Screen(width: 390, height: 844, scale: 3)
    let across = Screen(width: 844, height: 390, scale: 3)
    func tiles(_ count: Int, _ screen: Screen) -> [String] {
      Grid.streamGrid.tiles(count, screen).map { "\($0.x) \($0.y) \($0.width) \($0.height)" }
    }
    // The own tile, the first, floats above the others.
    #expect(tiles(2, upright).dropFirst() == ["0.0 0.0 390.0 844.0"])
    #expect(tiles(3, upright).dropFirst() == ["0.0 0.0 390.0 418.0", "0.0 426.0 390.0 418.0"])
    #expect(tiles(3, across).dropFirst() == ["0.0 0.0 418.0 390.0", "426.0 0.0 418.0 390.0"])
    #expect(
      tiles(4, upright) == [
        "0.0 0.0 191.0 418.0", "199.0 0.0 191.0 418.0", "0.0 426.0 191.0 418.0", "199.0 426.0 191.0 418.0",
      ])
    #expect(tiles(5, upright).last == "0.0 568.0 191.0 276.0")
    #expect(
      tiles(5, across) == [
        "0.0 0.0 418.0 191.0", "426.0 0.0 418.0 191.0", "0.0 199.0 276.0 191.0", "284.0 199.0 276.0 191.0",
        "568.0 199.0 276.0 191.0",
      ])
    #expect(tiles(1, upright).count == 1)
  }

  @Test func streamsPagesHold16TilesEachAndAreAsHighAsTheScreen() {
    let screen = Screen(width: 1280, height: 720, scale: 1)
    let tiles = Grid.streamPages.tiles(18, screen)
    // Four by four on the first page; two side by side on the second.
    #expect(tiles[0] == GridTile(x: 0, y: 0, width: 320, height: 180))
    #expect(tiles[15] == GridTile(x: 960, y: 540, width: 320, height: 180))
    #expect(tiles[16] == GridTile(x: 0, y: 720, width: 640, height: 720))
    #expect(tiles[17] == GridTile(x: 640, y: 720, width: 640, height: 720))
    for top in [0.0, 720] {
      #expect(tiles.filter { $0.visibleShare(top: top, bottom: top + 720) > 0 }.count == (top == 0 ? 16 : 2))
    }
    // Upright the longer side has the rows: three tiles in two rows.
    let upright = Grid.streamPages.tiles(3, Screen(width: 400, height: 800, scale: 1))
    #expect(upright[2] == GridTile(x: 0, y: 400, width: 200, height: 400))
  }
}
