package import Ladder
package import Quantity

/// Sharing of a viewer's rate with single-encoding sources whose senders follow their worst receiver: they take what
/// the viewer's other streams leave, and are never denied for lack of bandwidth [our model].
package enum FollowedReceivers {
  /// Minimum rate of such a source: libwebrtc's minimum for a stream.
  package static let least = BitRate.kilobits(30)

  /// Divides a rate equally among sources; whatever one does not need goes to the others.
  ///
  /// - Parameter needs: full rates of the sources.
  /// - Returns: rates of at least ``least``, or the full rate if that is less.
  package static func shares(of total: BitRate, needs: [BitRate]) -> [BitRate] {
    var shares = needs.map { min($0, least) }
    var left = total.bitsPerSecond
    var members = needs.indices.sorted { (needs[$0], $0) < (needs[$1], $1) }
    while let next = members.first {
      let share = max(0, left) / Int64(members.count)
      shares[next] = max(shares[next], min(needs[next], BitRate(bitsPerSecond: share)))
      left -= shares[next].bitsPerSecond
      members.removeFirst()
    }
    return shares
  }
}

extension Subscription {
  /// Copy as a rule sees it: a source whose sender follows its receivers takes the minimum.
  package var asDecided: Subscription {
    guard followsReceivers else { return self }
    var wish = self
    wish.followsReceivers = false
    wish.offers = offers.map(\.asFollowing)
    wish.ladder = ladder.map(\.asFollowing)
    return wish
  }
}

extension Layer {
  /// Copy of a layer of a source whose sender follows its receivers, as a rule sees it.
  package var asFollowing: Layer {
    var layer = self
    layer.bitrate = min(bitrate, FollowedReceivers.least)
    return layer
  }
}

extension Grant {
  /// Returns the grant of a source whose sender follows its receivers, at the rate that the viewer can receive.
  ///
  /// - Parameters:
  ///   - need: full rate of the source.
  ///   - room: how much the budget can grow before the client's cap becomes the limit.
  package func following(_ wish: Subscription, at rate: BitRate, of need: BitRate, room: RateLimit) -> Grant {
    let isShort = rate < need
    var grant =
      isShort ? Grant.short(wish, layer, missing: need - rate, room: room) : .unhindered(wish, layer)
    if isShort { grant.bearable = rate }
    (grant.rank, grant.taken) = (rank, taken)
    return grant
  }
}
