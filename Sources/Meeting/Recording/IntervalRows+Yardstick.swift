import Allocation
import Endpoint
import Ladder
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Systems
import Viewing

/// Yardstick sampling.
extension IntervalRows {
  /// Adds a viewer's track at the end of an interval, if it is subscribed to.
  func measureUtility(
    of viewer: Int, _ track: Int, score: Double?, _ parts: inout MeetingParts, _ recording: inout Recording
  ) {
    guard recording.yardstick.isOn, parts.sfu.allocator.subscriptions.tile(track) != nil else { return }
    let source = track % parts.streams.sourceCount
    let current = TileMoment(viewer: viewer, source: source, parts.streams, at: now).forwarded(parts).current
    let tile = parts.viewers.knowledge[viewer].receptions[source].tile
    let key = Yardstick.Key(
      track: track, revision: parts.sfu.allocator.subscriptions.revisions[track], tile: tile,
      forwarded: current)
    guard !recording.yardstick.add(key, score: score, of: viewer),
      var wish = parts.sfu.allocator.subscriptions[track]
    else { return }
    wish.tile = tile
    let forwarded = wish.ladder.last {
      $0.id.encoding == Int(current.encoding) && $0.id.temporal <= Int(current.temporal)
    }
    recording.yardstick.add(
      Yardstick.SeenTile(
        wish: wish, decided: parts.sfu.allocator.subscriptions.grants[track]?.layer, forwarded: forwarded),
      key, score: score, of: viewer, at: now)
  }

  /// Adds the interval of a viewer that ends now.
  func measureUtility(of viewer: Int, _ parts: inout MeetingParts, _ recording: inout Recording) {
    guard recording.yardstick.isOn, parts.people.isJoined(viewer) else { return }
    let peers = parts.net.endpoints.peers
    let path = Path.down(viewer)
    let filling = peers.peer(of: viewer).map(peers.sendingPath) ?? path
    let capacity = parts.net.links.meanCapacity(ofPath: path, from: start, to: now)
    recording.yardstick.note(
      Yardstick.Moment(
        capacity: capacity, estimate: parts.net.endpoints.estimate(filling),
        budget: budget(of: viewer, parts), length: now - start), of: viewer, at: now)
  }

  /// Returns the server's budget for a viewer's videos.
  private func budget(of viewer: Int, _ parts: borrowing MeetingParts) -> RateLimit {
    let own = parts.sfu.allocator.budgets[viewer]
    if let peer = parts.net.endpoints.peers.peer(of: viewer) {
      return RateLimit(parts.publishers.states[peer].videoBudget)
    }
    guard parts.sfu.servers.serves(viewer) else { return own.allowance }
    return parts.sfu.servers.cap(viewer).map(RateLimit.init) ?? own.reported?.total
      ?? RateLimit(parts.net.endpoints.estimate(Path.down(viewer)))
  }
}
