package import Ladder
package import Layout
package import Quantity

/// The scrolling grid or container of a client's view.
extension Client {
  /// Result of a call that needs a grid in a view that has none.
  package static var noGrid: String { "\(CallResult.noGrid.name): \(CallResult.noGrid.meaning)" }

  /// Returns the tile placements of the remote participants on a grid, whose first place is the viewer's own tile.
  package func placements(
    in grid: Grid, _ roster: Roster
  ) -> [(participant: Int, size: Resolution, visibleShare: Double)] {
    let members = [roster.viewer] + screen.tileOrder(roster)
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

  /// Returns the tiles of a number of participants, the viewer included.
  package func tiles(of grid: Grid, count: Int) -> [GridTile] {
    grid.tiles(count, screen.plan.screen, setUp: screen.stated.screen)
  }

  /// Returns the offset from the top of a grid with a number of tiles [pt], limited to its content.
  package func scrollOffset(in grid: Grid, count: Int, at now: SimTime) -> Double {
    min(screen.scroll.course.offset(at: now), maximumScroll(of: grid, count: count))
  }

  private func maximumScroll(of grid: Grid, count: Int) -> Double {
    grid.maximumScroll(count, screen.plan.screen, setUp: screen.stated.screen)
  }

  /// Starts scrolling to an offset [pt], at most to the end of the content.
  ///
  /// - Parameter duration: zero for a jump.
  /// - Returns: `false` if the view does not scroll.
  package mutating func scroll(to points: Int, over duration: SimDuration, _ roster: Roster) -> Bool {
    guard let end = maximumScroll(roster) else { return false }
    screen.scroll.course = Scrolling(
      from: min(screen.scroll.course.offset(at: roster.now), end), to: min(Double(points), end),
      at: roster.now,
      over: duration)
    return true
  }

  /// Rotates or resizes the screen, which ends a scroll.
  ///
  /// - Returns: `false` if the view does not scroll.
  mutating func turn(to next: Screen, _ roster: Roster) -> Bool {
    guard let before = maximumScroll(roster) else { return false }
    let offset = min(screen.scroll.course.offset(at: roster.now), before)
    screen.plan.screen = next
    screen.scroll.course = Scrolling(at: min(offset, maximumScroll(roster) ?? 0))
    return true
  }

  /// Returns the largest scroll offset [pt]; `nil` if the view does not scroll.
  package func maximumScroll(_ roster: Roster) -> Double? {
    switch screen.arrangement {
    case .grid(let grid): maximumScroll(of: grid, count: 1 + screen.tileOrder(roster).count)
    case .container(let container): maximumScroll(of: container, roster)
    case .request, .layout, .tiles, .everybody, .signals: nil
    }
  }
}
