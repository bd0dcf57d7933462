import Ladder
import Layout
import Systems
import Testing
import Vendors

@Suite("Grids")
struct GridTests {
  /// Two columns of 100 points, 8 apart; a row is as high as its highest tile.
  @Test func aContainersGridHasRowsOfItsColumns() {
    let container = TileContainer(kind: .grid, tile: Resolution(width: 100, height: 50))
    let tiles = container.tiles([(100, 50), (100, 70), (100, 50), (100, 50), (100, 50)])
    #expect(tiles.map(\.x) == [0, 108, 0, 108, 0])
    #expect(tiles.map(\.y) == [0, 0, 78, 78, 136])
  }

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

  /// 390 points wide at set-up: tiles of 155. Turned, 824 points fit five tiles and leave 49 for four gaps.
  @Test func agorasSquaresKeepTheirSizeWhenTheScreenTurns() {
    let upright = Screen(width: 390, height: 844, scale: 1)
    let tiles = Grid.agoraSquares.tiles(17, Screen(width: 844, height: 390, scale: 1), setUp: upright)
    #expect(tiles[0] == GridTile(x: 10, y: 10, width: 155, height: 155))
    #expect(tiles[4] == GridTile(x: 679, y: 10, width: 155, height: 155))
    #expect(tiles[5] == GridTile(x: 10, y: 175, width: 155, height: 155))
    #expect(tiles[1].x == 177.25)
    // Upright, the second of two is at the right edge, 10 points away from it.
    #expect(Grid.agoraSquares.tiles(2, upright)[1] == GridTile(x: 225, y: 10, width: 155, height: 155))
    // Set up in landscape, tiles of 382 points have a row each.
    let across = Grid.agoraSquares.tiles(2, upright, setUp: Screen(width: 844, height: 390, scale: 1))
    #expect(across[1] == GridTile(x: 4, y: 402, width: 382, height: 382))
  }

  /// Three tiles of 155 and two gaps of 10 take 485 points, and the insets 20.
  @Test(arguments: [(504.0, 2), (505, 3)])
  func asManyTilesFitARowAsHaveRoomForTheLeastGap(width: Double, columns: Int) {
    let tiles = Grid.agoraSquares.tiles(
      4, Screen(width: width, height: 844, scale: 1), setUp: Screen(width: 390, height: 844, scale: 1))
    #expect(tiles.filter { $0.y == 10 }.count == columns)
    #expect(tiles[columns - 1].x + 155 == width - 10)
  }

  /// Nine rows of 165 points and insets of 10, of which 794 points are visible.
  @Test func aGridScrollsToTheEndOfItsContent() {
    let screen = Screen(width: 390, height: 844, scale: 1)
    #expect(Grid.agoraSquares.maximumScroll(17, screen) == 701)
    #expect(Grid.agoraSquares.maximumScroll(4, screen) == 0)
    #expect(
      Grid.agoraSquares.maximumScroll(17, Screen(width: 844, height: 390, scale: 1), setUp: screen) == 330)
    #expect(Grid.streamPages.maximumScroll(17, screen) == .infinity)
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
    // The viewer's own tile, the first, floats above the others.
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
    // Upright, the longer side has the rows: three tiles in two rows.
    let upright = Grid.streamPages.tiles(3, Screen(width: 400, height: 800, scale: 1))
    #expect(upright[2] == GridTile(x: 0, y: 400, width: 200, height: 400))
  }
}
