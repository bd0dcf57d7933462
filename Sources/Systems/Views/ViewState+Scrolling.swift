package import Ladder
package import Layout
package import Quantity

/// The scrolling grid or container of a view.
extension ViewState {
  /// Returns the tiles of the remote participants on a grid, whose first place is the viewer's own tile.
  func placements(in grid: Grid, _ roster: Roster) -> [PlacedTile] {
    let members = [roster.viewer] + tileOrder(roster)
    let places = tiles(of: grid, count: members.count)
    let top = scrollOffset(in: grid, count: members.count, at: roster.now)
    let bottom = top + grid.visibleHeight(plan.screen)
    return members.indices.dropFirst().map { place in
      PlacedTile(
        participant: members[place],
        size: appliedTiles.sizes[members[place]] ?? places[place].pixels(scale: plan.screen.scale),
        visibleShare: places[place].visibleShare(top: top, bottom: bottom))
    }
  }

  /// Returns the tiles of a number of participants, the viewer included.
  package func tiles(of grid: Grid, count: Int) -> [GridTile] {
    grid.tiles(count, plan.screen, setUp: stated.screen)
  }

  /// Returns the offset from the top of a grid with a number of tiles [pt], limited to its content.
  package func scrollOffset(in grid: Grid, count: Int, at now: SimTime) -> Double {
    min(scroll.course.offset(at: now), maximumScroll(of: grid, count: count))
  }

  private func maximumScroll(of grid: Grid, count: Int) -> Double {
    grid.maximumScroll(count, plan.screen, setUp: stated.screen)
  }

  /// Starts scrolling to an offset [pt], at most to the end of the content.
  ///
  /// - Parameter duration: zero for a jump.
  /// - Returns: `false` if the view does not scroll.
  package mutating func scroll(to points: Int, over duration: SimDuration, _ roster: Roster) -> Bool {
    guard let end = maximumScroll(roster) else { return false }
    scroll.course = Scrolling(
      from: min(scroll.course.offset(at: roster.now), end), to: min(Double(points), end),
      at: roster.now,
      over: duration)
    return true
  }

  /// Rotates or resizes the screen, which ends a scroll.
  ///
  /// - Returns: `false` if the view does not scroll.
  mutating func turn(to next: Screen, _ roster: Roster) -> Bool {
    guard let before = maximumScroll(roster) else { return false }
    let offset = min(scroll.course.offset(at: roster.now), before)
    plan.screen = next
    scroll.course = Scrolling(at: min(offset, maximumScroll(roster) ?? 0))
    return true
  }

  /// Returns the largest scroll offset [pt]; `nil` if the view does not scroll.
  package func maximumScroll(_ roster: Roster) -> Double? {
    switch arrangement {
    case .grid(let grid): maximumScroll(of: grid, count: 1 + tileOrder(roster).count)
    case .container(let container): maximumScroll(of: container, content(of: container, roster).tiles)
    case .request, .layout, .tiles, .everybody, .signals: nil
    }
  }

  // MARK: Containers

  /// Returns the tiles of the remote participants in a container.
  ///
  /// - Parameter measuresAxes: ``ClientTraits/measuresAxes``.
  func placements(in container: TileContainer, _ roster: Roster, measuresAxes: Bool) -> [PlacedTile] {
    let display = plan.screen
    let (members, sizes, tiles) = content(of: container, roster)
    let offset = min(scroll.course.offset(at: roster.now), maximumScroll(of: container, tiles))
    let left = container.kind == .row ? offset : 0
    let top = container.kind == .row ? 0 : offset
    return members.indices.filter { members[$0] != roster.viewer }.map { place in
      let across = tiles[place].visibleShare(left: left, right: left + display.width)
      let down = tiles[place].visibleShare(top: top, bottom: top + display.height)
      return PlacedTile(
        participant: members[place], size: sizes[place],
        visibleShare: measuresAxes ? min(across, down) : across * down)
    }
  }

  /// Returns the largest scroll offset of a container with the given tiles, at which the end of the content meets that
  /// of the screen [pt].
  package func maximumScroll(of container: TileContainer, _ tiles: [GridTile]) -> Double {
    let display = plan.screen
    let end =
      container.kind == .row
      ? (tiles.map { $0.x + $0.width }.max() ?? 0) - display.width
      : (tiles.map { $0.y + $0.height }.max() ?? 0) - display.height
    return max(0, end)
  }

  /// Returns the participants of a container in order, with their tiles in pixels and in points.
  ///
  /// - Parameter sizes: tiles by participant [px]; `nil` for those known to the SFU.
  package func content(
    of container: TileContainer, sizes own: [Int: Resolution]? = nil, _ roster: Roster
  ) -> (members: [Int], sizes: [Resolution], tiles: [GridTile]) {
    let display = plan.screen
    let members = (container.hasOwnTile ? [roster.viewer] : []) + others(roster)
    let sizes = members.map { (own ?? appliedTiles.sizes)[$0] ?? display.pixels(of: container.tile) }
    let tiles = container.tiles(
      sizes.map { (Double($0.width) / display.scale, Double($0.height) / display.scale) })
    return (members, sizes, tiles)
  }
}
