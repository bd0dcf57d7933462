import Allocation
import Endpoint
import Ladder
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Viewing

/// Sampling for the yardstick.
extension MeetingSimulation {
  /// Adds a track of a viewer at the end of an interval, if it is subscribed to.
  mutating func measureUtility(of viewer: Int, _ track: Int, score: Double?, at now: SimTime) {
    guard recording.yardstick.isOn, sfu.allocator.subscriptions.tile(track) != nil else { return }
    let current = sfu.forwarder.tracks[track].current
    let tile = viewers.tile(of: track % streams.sourceCount, viewer)
    let key = Yardstick.Key(
      track: track, revision: sfu.allocator.subscriptions.revisions[track], tile: tile, forwarded: current)
    guard !recording.yardstick.add(key, score: score, of: viewer),
      var wish = sfu.allocator.subscriptions[track]
    else { return }
    wish.tile = tile
    let forwarded = wish.ladder.last {
      $0.id.encoding == Int(current.encoding) && $0.id.temporal <= Int(current.temporal)
    }
    recording.yardstick.add(
      Yardstick.Subscription(
        wish: wish, decided: sfu.allocator.subscriptions.grants[track]?.layer, forwarded: forwarded),
      key, score: score, of: viewer, at: now)
  }

  /// Adds a viewer's interval, which ends now.
  mutating func measureUtility(of viewer: Int, from start: SimTime, at now: SimTime) {
    guard recording.yardstick.isOn, people.isJoined(viewer) else { return }
    let path = Path.down(viewer)
    var capacity: BitRate?
    for link in links.route(of: path) {
      let mean = links.meanCapacity(of: Int(link), from: start, to: now)
      capacity = min(capacity ?? mean, mean)
    }
    recording.yardstick.note(
      Yardstick.Moment(
        capacity: capacity ?? .zero, estimate: endpoints.estimate(path), budget: budget(of: viewer),
        length: now - start),
      of: viewer, at: now)
  }

  /// Returns the server's budget for a viewer's videos.
  private func budget(of viewer: Int) -> RateLimit {
    let own = sfu.allocator.budgets[viewer]
    guard sfu.servers.serves(viewer) else { return own.allowance }
    return sfu.servers.cap(viewer).map(RateLimit.init) ?? own.reported?.total
      ?? RateLimit(endpoints.estimate(Path.down(viewer)))
  }
}
