package import Allocation
import Ladder
import Plan
import Quantity

/// Sources whose senders follow their receivers, in systems whose policies and servers do not handle this.
extension Allocator {
  /// Divides what a viewer's other streams leave of its budget among these sources.
  ///
  /// - Returns: the sources whose rate has changed.
  package mutating func followReceivers(of viewer: Int, within budget: VideoBudget) -> [Int] {
    guard let total = min(budget.available, receiveCaps[viewer]).rate else { return [] }
    var left = total
    var members: [(source: Int, track: Int, wish: Subscription, grant: Grant)] = []
    for source in streams.sources.indices {
      let track = streams.track(viewer: viewer, source: source)
      guard let grant = subscriptions.grants[track], let layer = grant.layer else { continue }
      if streams.sources[source].followsReceivers, let wish = subscriptions[track] {
        members.append((source, track, wish, grant))
      } else {
        left -= layer.bitrate
      }
    }
    guard !members.isEmpty else { return [] }
    let needs = members.map { Self.need(of: $0.wish, $0.grant) }
    let rates = FollowedReceivers.shares(of: max(.zero, left), needs: needs)
    var changed: [Int] = []
    for (place, member) in members.enumerated() {
      let grant = member.grant.following(
        member.wish, at: rates[place], of: needs[place], room: room(of: viewer))
      guard grant.bearable != member.grant.bearable else { continue }
      subscriptions.grant(grant, to: member.wish, on: member.track)
      noteBearable(grant.bearable, after: member.grant.bearable, of: member.source)
      changed.append(member.source)
    }
    return changed
  }

  /// Keeps the rate of a source when its grant is replaced.
  func keepFollowing(_ grant: inout Grant, _ wish: Subscription, after previous: Grant?, of viewer: Int) {
    guard let rate = previous?.bearable else { return }
    grant = grant.following(wish, at: rate, of: Self.need(of: wish, grant), room: room(of: viewer))
  }

  /// Returns the full rate of a source.
  private static func need(of wish: Subscription, _ grant: Grant) -> BitRate {
    wish.ladder.last { $0.id == grant.layer?.id }?.bitrate ?? grant.layer?.bitrate ?? .zero
  }

  /// Returns how much a viewer's budget can grow before its client's cap becomes the limit.
  private func room(of viewer: Int) -> RateLimit {
    receiveCaps[viewer].leaving(budgets[viewer].current.rate ?? .zero)
  }
}
