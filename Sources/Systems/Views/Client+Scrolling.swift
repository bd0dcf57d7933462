import Ladder
import Quantity

/// Visible tiles of a view during a scroll.
extension Client {
  /// Examines the screen every ``Scrolling/lookPeriod`` from now on until scrolling ends.
  package mutating func followScroll(_ roster: Roster) -> [ClientAction] {
    guard screen.scroll.look == nil else { return [] }
    screen.scroll.look = ScrollLook(due: roster.now, visible: visibleTiles(roster))
    return nextLook(roster)
  }

  private mutating func nextLook(_ roster: Roster) -> [ClientAction] {
    let rest = screen.scroll.course.endsAt - roster.now
    guard rest > .zero, roster.isJoined else {
      screen.scroll.look = nil
      return []
    }
    let delay = min(Scrolling.lookPeriod, rest)
    screen.scroll.look?.due = roster.now + delay
    return [.wake(after: delay)]
  }

  /// Handles a timer set by ``ClientAction/wake(after:)``: the next examination of a scrolling screen, or the client's
  /// own timer.
  package mutating func wakeUp(_ roster: Roster) -> [ClientAction] {
    guard let last = screen.scroll.look, last.due == roster.now else { return handle(.timer, roster) }
    let visible = visibleTiles(roster)
    screen.scroll.look?.visible = visible
    let reactions = visible == last.visible ? [] : handle(.scrolled, roster)
    return reactions + nextLook(roster)
  }

  /// Returns the remote participants whose tiles count as visible in a scrolling view.
  private func visibleTiles(_ roster: Roster) -> [Int] {
    guard screen.maximumScroll(roster) != nil else { return [] }
    let least = traits.leastVisibleShare
    return tilePlaces(roster).filter { $0.visibleShare > 0 && $0.visibleShare >= least }.map(\.participant)
  }
}

/// Last examination of a scrolling screen.
struct ScrollLook: Hashable, Sendable {
  /// Time at which the next one is due.
  var due: SimTime
  var visible: [Int]
}
