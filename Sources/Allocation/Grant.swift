package import Ladder
package import Quantity

/// Layer that a policy allocates to one subscription, and what limits it.
package struct Grant: Hashable, Sendable {
  /// Index of the source in the meeting.
  package var source: Int
  /// Allocated layer; `nil` if nothing is forwarded.
  package var layer: Layer?
  /// Limit that keeps the subscription from a higher layer.
  package var limitation: Limitation
  /// Additional budget that the next layer needs; zero when bandwidth was not the limit.
  package var missing: BitRate
  /// Set while the budget carries the next layer, and the rule only waits, such as for a probe: what is lacking then is
  /// reported as ``Limitation/hold``.
  package var isWaiting = false
  /// Bit rate at which the viewer can receive a source that cannot be scaled, if less than the source's full rate; the
  /// publisher has to follow it.
  package var bearable: BitRate?
  /// Rank in the order of service, from 1; `nil` for a grant that has not been ranked.
  package var rank: Int?
  /// Rate that the subscription takes from the budget, as the rule counts it.
  package var taken = BitRate.zero

  package init(source: Int, layer: Layer?, limitation: Limitation, missing: BitRate = .zero) {
    self.source = source
    self.layer = layer
    self.limitation = limitation
    self.missing = missing
  }

  /// Limitation as tables report it.
  package var reported: Limitation { isWaiting ? .hold : limitation }

  /// Shortfall of the viewer's downlink estimate; `nil` where the estimate is not the limit.
  package var lacking: BitRate? { limitation == .bandwidth || bearable != nil ? missing : nil }
}

extension Grant {
  /// Creates a grant below the request because the next layer did not fit.
  ///
  /// - Parameters:
  ///   - missing: bit rate of the next layer beyond the remaining budget.
  ///   - room: how much the budget can grow before the client's cap becomes the limit; unlimited without a cap. A layer
  ///     that needs more is denied by the cap, whatever the bandwidth.
  package static func short(_ wish: Subscription, _ layer: Layer?, missing: BitRate, room: RateLimit) -> Grant
  {
    Grant(
      source: wish.source, layer: layer, limitation: room.admits(missing) ? .bandwidth : .requestCap,
      missing: missing)
  }

  /// Creates an empty grant for a subscription whose source is not shown at all; `nil` for any other.
  package static func excluded(_ wish: Subscription) -> Grant? {
    wish.exclusion.map { Grant(source: wish.source, layer: nil, limitation: $0) }
  }

  /// Creates a grant that bandwidth did not limit, for a tile that is requested by size. A slightly smaller picture is
  /// not a cap that somebody has set, so it counts as a missing layer.
  package static func unhindered(tile wish: Subscription, _ layer: Layer?) -> Grant {
    var grant = unhindered(wish, layer)
    guard case .requestCap = grant.limitation, wish.gate == nil, wish.confinement.window == nil,
      wish.demand.maximumLines == nil, wish.demand.ceiling == nil
    else { return grant }
    grant.limitation = .layerMissing
    return grant
  }

  /// Creates a grant that bandwidth did not limit.
  ///
  /// ``GrantedTile`` determines whatever else keeps the grant below the request; the limitation here is a missing layer
  /// unless it is a cap or an encoding that the uplink does not carry.
  package static func unhindered(_ wish: Subscription, _ layer: Layer?) -> Grant {
    guard let layer else {
      return Grant(source: wish.source, layer: nil, limitation: wish.absence ?? .layerMissing)
    }
    let limitation: Limitation
    if layer.format.milliFramesPerSecond == 0 {
      // The source sends nothing at present, whatever is requested.
      limitation = .layerMissing
    } else if wish.requested.isWithin(layer.format) {
      limitation = .none
    } else if let best = wish.bestWithinRequest, best.id != layer.id,
      !wish.offers.contains(best)
    {
      limitation = .senderUplink
    } else if wish.maximum != wish.requested, !wish.requested.isWithin(wish.maximum) {
      limitation = .requestCap
    } else {
      limitation = .layerMissing
    }
    return Grant(source: wish.source, layer: layer, limitation: limitation)
  }
}
