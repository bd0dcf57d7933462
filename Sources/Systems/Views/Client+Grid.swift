import Ladder
import Layout
import Quantity

/// The scrolling grid of a client's view.
extension Client {
  /// Result of a call that needs a grid in another view.
  static var noGrid: String { "noGrid: only a view with 'grid' scrolls or turns" }

  /// Tile placements of the remote participants on a grid, of which the viewer's own tile occupies the first.
  func placements(
    in grid: Grid, _ roster: Roster
  ) -> [(participant: Int, size: Resolution, visibleShare: Double)] {
    let members = [roster.viewer] + tileOrder(roster)
    let places = tiles(of: grid, count: members.count)
    let top = scrollOffset(in: grid, count: members.count, at: roster.now)
    let bottom = top + grid.visibleHeight(screen.plan.screen)
    return members.indices.dropFirst().map { place in
      (
        members[place], places[place].pixels(scale: screen.plan.screen.scale),
        places[place].visibleShare(top: top, bottom: bottom)
      )
    }
  }

  /// The tiles of so many participants, the viewer included.
  func tiles(of grid: Grid, count: Int) -> [GridTile] {
    grid.tiles(count, screen.plan.screen, setUp: screen.setUpScreen)
  }

  /// The offset from the top of a grid with so many tiles [pt], which never shows more than its content.
  func scrollOffset(in grid: Grid, count: Int, at now: SimTime) -> Double {
    min(screen.scrolling.offset(at: now), maximumScroll(of: grid, count: count))
  }

  private func maximumScroll(of grid: Grid, count: Int) -> Double {
    grid.maximumScroll(count, screen.plan.screen, setUp: screen.setUpScreen)
  }

  /// Begins to scroll to an offset [pt], at most to the end of the content.
  ///
  /// - Parameter duration: zero for a jump.
  /// - Returns: `false` if the view is not a grid.
  mutating func scroll(to points: Int, over duration: SimDuration, _ roster: Roster) -> Bool {
    guard case .grid(let grid) = screen.plan.arrangement else { return false }
    let count = 1 + tileOrder(roster).count
    screen.scrolling = Scrolling(
      from: scrollOffset(in: grid, count: count, at: roster.now),
      to: min(Double(points), maximumScroll(of: grid, count: count)), at: roster.now, over: duration)
    return true
  }

  /// Turns or resizes the screen, which ends a scroll.
  ///
  /// - Returns: `false` if the view is not a grid.
  mutating func turn(to next: Screen, _ roster: Roster) -> Bool {
    guard case .grid(let grid) = screen.plan.arrangement else { return false }
    let count = 1 + tileOrder(roster).count
    let offset = scrollOffset(in: grid, count: count, at: roster.now)
    screen.plan.screen = next
    screen.scrolling = Scrolling(at: min(offset, maximumScroll(of: grid, count: count)))
    return true
  }
}
