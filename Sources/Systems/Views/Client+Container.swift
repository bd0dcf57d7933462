import Allocation
import Ladder
import Layout

/// Subscriptions of a scrolling container of tiles.
extension Client {
  func containerWishes(_ container: TileContainer, _ roster: Roster) -> [Wish] {
    placements(in: container, roster).compactMap { place in
      tileWish(
        of: place.participant, size: place.size, visibleShare: place.visibleShare, roster)
    }
  }

  /// Tile placements of the remote participants, with sizes in pixels.
  func placements(
    in container: TileContainer, _ roster: Roster
  ) -> [(participant: Int, size: Resolution, visibleShare: Double)] {
    let display = screen.plan.screen
    let members = (container.hasOwnTile ? [roster.viewer] : []) + screen.others(roster)
    let sizes = members.map {
      screen.appliedTileSizes[$0] ?? display.pixels(of: container.tile)
    }
    let tiles = container.tiles(
      sizes.map { (Double($0.width) / display.scale, Double($0.height) / display.scale) })
    let left = container.kind == .row ? screen.scroll : 0
    let top = container.kind == .row ? 0 : screen.scroll
    return members.indices.filter { members[$0] != roster.viewer }.map { place in
      let share = visibleShare(
        across: tiles[place].visibleShare(left: left, right: left + display.width),
        down: tiles[place].visibleShare(top: top, bottom: top + display.height))
      return (members[place], sizes[place], share)
    }
  }
}
