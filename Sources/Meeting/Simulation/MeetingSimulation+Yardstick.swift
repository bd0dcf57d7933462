import Allocation
import Ladder
import Quantity
import SimulationKernel

/// From the parts to the yardstick.
extension MeetingSimulation {
  /// A subscription at the end of an interval.
  func yardstickTile(_ wish: Wish, _ track: Int, score: Double?) -> Yardstick.Tile {
    let current = sfu.forwarder.tracks[track].current
    let forwarded = wish.ladder.last {
      $0.id.encoding == Int(current.encoding) && $0.id.temporal <= Int(current.temporal)
    }
    return Yardstick.Tile(
      wish: wish, decided: sfu.allocator.subscriptions.grants[track]?.layer, forwarded: forwarded,
      score: score)
  }

  /// Takes a viewer's interval, which ends now.
  mutating func measureUtility(
    of viewer: Int, _ tiles: [Yardstick.Tile], from start: SimTime, at now: SimTime
  ) {
    guard recording.yardstick.isOn, people.isJoined(viewer), !tiles.isEmpty else { return }
    let path = Path.down(viewer)
    var capacity = BitRate.unlimited
    for link in links.route(of: path) {
      capacity = min(capacity, links.meanCapacity(of: Int(link), from: start, to: now))
    }
    recording.yardstick.note(
      Yardstick.Moment(
        capacity: capacity, estimate: endpoints.estimate(path), budget: budget(of: viewer), tiles: tiles,
        length: now - start),
      of: viewer, at: now)
  }

  /// What the server has to share out among a viewer's videos.
  private func budget(of viewer: Int) -> BitRate {
    let own = sfu.allocator.budgets[viewer]
    guard sfu.servers.areUsed else { return own.allowance }
    return sfu.servers.cap(viewer) ?? own.reported?.available ?? endpoints.estimate(Path.down(viewer))
  }
}
