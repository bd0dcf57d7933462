package import Ladder
package import Quantity

/// The layer that a policy allocates to one subscription, and why not a higher one.
package struct Grant: Hashable, Sendable {
  /// Index of the source in the meeting.
  package var source: Int
  /// `nil` if nothing is forwarded.
  package var layer: Layer?
  package var limitation: Limitation
  /// Additional budget that the next layer needs; zero when bandwidth was not the limit.
  package var missing: BitRate
  /// The bit rate that the viewer could receive of a source that cannot be scaled, if it is less than its full rate; the
  /// publisher has to follow it.
  package var bearable: BitRate?

  package init(source: Int, layer: Layer?, limitation: Limitation, missing: BitRate = .zero) {
    self.source = source
    self.layer = layer
    self.limitation = limitation
    self.missing = missing
  }
}

extension Grant {
  /// A grant below the request because the next layer did not fit.
  ///
  /// - Parameters:
  ///   - missing: bit rate of the next layer beyond the remaining budget.
  ///   - headroom: budget of the downlink above the client's cap; if the next layer would fit into it, the cap is the
  ///     limit rather than the bandwidth.
  ///   - margin: notes the budget at which the cap becomes the limit.
  package static func short(
    _ wish: Wish, _ layer: Layer?, missing: BitRate, headroom: BitRate, _ margin: inout BudgetMargin
  ) -> Grant {
    if missing > headroom { margin.note(rise: (missing - headroom).bitsPerSecond) }
    return Grant(
      source: wish.source, layer: layer, limitation: missing <= headroom ? .requestCap : .bandwidth,
      missing: missing)
  }

  /// A grant of nothing to a wish of which nothing is shown; `nil` for any other.
  package static func excluded(_ wish: Wish) -> Grant? {
    wish.exclusion.map { Grant(source: wish.source, layer: nil, limitation: $0) }
  }

  /// The same as ``unhindered(_:_:)`` where tiles are asked for by size: that one takes a slightly smaller picture is no
  /// cap that somebody has set.
  package static func unhindered(tile wish: Wish, _ layer: Layer?) -> Grant {
    var grant = unhindered(wish, layer)
    guard grant.limitation == .requestCap, wish.gate == nil, wish.window == nil,
      wish.demand.maximumLines == nil, wish.demand.ceiling == nil
    else { return grant }
    let top = wish.ladder.last?.format ?? wish.maximum
    grant.limitation = wish.requested.isWithin(top) ? .layerMissing : .sender
    return grant
  }

  /// A grant that bandwidth did not limit, with whatever else kept it below the request.
  package static func unhindered(_ wish: Wish, _ layer: Layer?) -> Grant {
    guard let layer else {
      return Grant(source: wish.source, layer: nil, limitation: wish.absence ?? .layerMissing)
    }
    let limitation: Limitation
    if layer.format.milliFramesPerSecond == 0 {
      // The source sends nothing now, whatever is asked for.
      limitation = .sender
    } else if wish.requested.isWithin(layer.format) {
      limitation = .none
    } else if let best = wish.ladder.last(where: { $0.format.isWithin(wish.maximum) }), best.id != layer.id,
      !wish.offers.contains(best)
    {
      limitation = .senderUplink
    } else if wish.maximum != wish.requested, !wish.requested.isWithin(wish.maximum) {
      limitation = .requestCap
    } else {
      let top = wish.ladder.last?.format ?? layer.format
      if wish.isCutByWindow, let window = wish.window {
        limitation = wish.requested.resolution.fits(in: window) ? .layerMissing : .requestCap
      } else {
        limitation = wish.requested.isWithin(top) ? .layerMissing : .sender
      }
    }
    return Grant(source: wish.source, layer: layer, limitation: limitation)
  }
}
