import Allocation
package import Ladder
package import Layout

/// Subscriptions of a scrolling container of tiles.
extension Client {
  func containerWishes(_ container: TileContainer, _ roster: Roster) -> [Subscription] {
    placements(in: container, roster).compactMap { place in
      wish(for: .tile(of: place.participant, size: place.size, visibleShare: place.visibleShare), roster)
    }
  }

  /// Returns the tile placements of the remote participants, with sizes in pixels.
  package func placements(
    in container: TileContainer, _ roster: Roster
  ) -> [(participant: Int, size: Resolution, visibleShare: Double)] {
    let display = screen.plan.screen
    let (members, sizes, tiles) = content(of: container, roster)
    let scroll = min(screen.scroll.course.offset(at: roster.now), maximumScroll(of: container, roster))
    let left = container.kind == .row ? scroll : 0
    let top = container.kind == .row ? 0 : scroll
    let measuresAxes = traits.measuresAxes
    return members.indices.filter { members[$0] != roster.viewer }.map { place in
      let across = tiles[place].visibleShare(left: left, right: left + display.width)
      let down = tiles[place].visibleShare(top: top, bottom: top + display.height)
      let share = measuresAxes ? min(across, down) : across * down
      return (members[place], sizes[place], share)
    }
  }

  /// Returns the largest scroll offset, at which the end of the content meets that of the screen [pt].
  package func maximumScroll(of container: TileContainer, _ roster: Roster) -> Double {
    maximumScroll(of: container, content(of: container, roster).tiles)
  }

  /// Returns the largest scroll offset of a container with the given tiles [pt].
  package func maximumScroll(of container: TileContainer, _ tiles: [GridTile]) -> Double {
    let display = screen.plan.screen
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
    let display = screen.plan.screen
    let members = (container.hasOwnTile ? [roster.viewer] : []) + screen.others(roster)
    let sizes = members.map { (own ?? screen.appliedTiles.sizes)[$0] ?? display.pixels(of: container.tile) }
    let tiles = container.tiles(
      sizes.map { (Double($0.width) / display.scale, Double($0.height) / display.scale) })
    return (members, sizes, tiles)
  }
}
