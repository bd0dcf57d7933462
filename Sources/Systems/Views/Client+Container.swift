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
    let (members, sizes, tiles) = screen.content(of: container, roster)
    let scroll = min(screen.scroll.course.offset(at: roster.now), screen.maximumScroll(of: container, roster))
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
}
