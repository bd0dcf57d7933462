import Allocation
import Ladder
import Layout
import Quantity
import Systems

/// Tiles that come onto the screen or leave it, in any view of tiles.
///
/// The guide's collection view has one kind of cell; what it does with cells also applies to containers, pages, tiles
/// and views of everybody [our model].
extension AgoraClient {
  /// Updates the displayed tiles from the screen's contents now and since an earlier frame at another offset [pt].
  mutating func updateDisplay(_ roster: Roster, since before: Double? = nil, due: SimTime) {
    users.append(screen.others(roster), roster)
    guard screen.plan.followsScreen, let cells = cells(roster, since: before) else { return }
    for change in users.update(cells) {
      switch change {
      case .displayed(let participant): requests.setStreamType(of: participant, low: false, due: due)
      case .ended(let participant) where !screen.pins.contains(participant):
        requests.setStreamType(of: participant, low: true, due: due)
      case .ended: break
      }
    }
  }

  /// Returns the tiles of the view; `nil` if it has none.
  private func cells(_ roster: Roster, since before: Double?) -> [AgoraVideoUsers.Cell]? {
    let cells: [AgoraVideoUsers.Cell]
    switch screen.arrangement {
    case .grid(let grid): cells = self.cells(of: grid, roster, since: before)
    case .container(let container): cells = self.cells(of: container, roster, since: before)
    case .tiles: cells = self.cells(everybody: nil, roster)
    case .everybody(let size): cells = self.cells(everybody: screen.plan.screen.pixels(of: size), roster)
    case .request, .layout, .signals: return nil
    }
    return cells.map { cell in
      let isHidden = screen.tiles.hidden.contains(cell.participant)
      return AgoraVideoUsers.Cell(
        participant: cell.participant, passes: cell.passes && !isHidden, stays: cell.stays && !isHidden)
    }
  }

  private func cells(of grid: Grid, _ roster: Roster, since before: Double?) -> [AgoraVideoUsers.Cell] {
    let order = screen.tileOrder(roster)
    let tiles = screen.tiles(of: grid, count: 1 + order.count)
    let offset = screen.scrollOffset(in: grid, count: tiles.count, at: roster.now)
    let height = grid.visibleHeight(screen.plan.screen)
    let from = before ?? offset
    return zip(order, tiles.dropFirst()).map { participant, tile in
      AgoraVideoUsers.Cell(
        participant: participant,
        passes: tile.visibleShare(top: min(from, offset), bottom: max(from, offset) + height) > 0,
        stays: tile.visibleShare(top: offset, bottom: offset + height) > 0)
    }
  }

  private func cells(
    of container: TileContainer, _ roster: Roster, since before: Double?
  ) -> [AgoraVideoUsers.Cell] {
    let display = screen.plan.screen
    let (members, _, tiles) = screen.content(of: container, sizes: screen.tiles.sizes, roster)
    let offset = min(screen.scroll.course.offset(at: roster.now), screen.maximumScroll(of: container, tiles))
    let from = before ?? offset
    func isVisible(_ tile: GridTile, from start: Double, to end: Double) -> Bool {
      container.kind == .row
        ? tile.visibleShare(left: start, right: end + display.width) > 0
          && tile.visibleShare(top: 0, bottom: display.height) > 0
        : tile.visibleShare(top: start, bottom: end + display.height) > 0
          && tile.visibleShare(left: 0, right: display.width) > 0
    }
    return zip(members, tiles).filter { $0.0 != roster.viewer }.map { participant, tile in
      AgoraVideoUsers.Cell(
        participant: participant,
        passes: isVisible(tile, from: min(from, offset), to: max(from, offset)),
        stays: isVisible(tile, from: offset, to: offset))
    }
  }

  private func cells(everybody: Resolution?, _ roster: Roster) -> [AgoraVideoUsers.Cell] {
    screen.tilePlaces(everybody: everybody, sizes: screen.tiles.sizes, roster).map { place in
      AgoraVideoUsers.Cell(
        participant: place.participant, passes: place.visibleShare > 0, stays: place.visibleShare > 0)
    }
  }

  // MARK: Scrolling

  mutating func beginScroll(to points: Int, over duration: SimDuration, _ roster: Roster) -> ClientResponse {
    updateDisplay(roster, due: roster.now + parameters.switchDelay)
    let before = screen.scroll.course.offset(at: roster.now)
    guard screen.scroll(to: points, over: duration, roster) else { return .noGrid }
    frame = nil
    guard duration > .zero else {
      updateDisplay(roster, due: roster.now + parameters.switchDelay)
      return ClientResponse(.ok, [.request(after: parameters.switchDelay)])
    }
    return ClientResponse(.ok, nextFrame(before, roster))
  }

  /// Schedules the next frame of a scroll; the screen shows 60 frames per second.
  private mutating func nextFrame(_ offset: Double, _ roster: Roster) -> [ClientAction] {
    let due = min(roster.now + SimDuration(nanoseconds: 16_666_667), screen.scroll.course.endsAt)
    frame = (due, offset)
    return [.wake(after: due - roster.now)]
  }

  /// Shows the next frame of a scroll.
  mutating func showFrame(_ roster: Roster) -> [ClientAction] {
    // A later call may have replaced the scroll that this frame belonged to.
    guard let current = frame, current.due == roster.now else { return [] }
    frame = nil
    updateDisplay(roster, since: current.offset, due: roster.now + parameters.switchDelay)
    let isOver = roster.now >= screen.scroll.course.endsAt
    let next = isOver ? [] : nextFrame(screen.scroll.course.offset(at: roster.now), roster)
    return next + [.request(after: parameters.switchDelay)]
  }
}
