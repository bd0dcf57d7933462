package import Ladder
package import Quantity

/// What kept a tile below what was asked for; the words of the `limitation` column.
package enum Limitation: String, Hashable, Sendable, CaseIterable {
  case none, bandwidth, sender
  case senderUplink = "sender-uplink"
  case requestCap = "request-cap"
  case policy
  case offScreen = "off-screen"
  case muted
  case layerMissing = "layer-missing"
  case switching
}

/// What a policy gives one wish, and why not more.
package struct Grant: Hashable, Sendable {
  /// The source's number in the meeting.
  package var source: Int
  /// `nil` for nothing.
  package var layer: Layer?
  package var limitation: Limitation
  /// How much more budget the next layer would have taken; zero when bandwidth was not the limit.
  package var missing: BitRate

  package init(source: Int, layer: Layer?, limitation: Limitation, missing: BitRate = .zero) {
    self.source = source
    self.layer = layer
    self.limitation = limitation
    self.missing = missing
  }
}

extension Grant {
  /// A grant below the wish because its next layer did not fit.
  ///
  /// - Parameters:
  ///   - missing: what the next layer takes beyond what was left of the budget.
  ///   - headroom: what the way to the viewer carries beyond the client's cap; where the next layer would fit it, the
  ///     cap is the limit and not the way.
  package static func short(_ wish: Wish, _ layer: Layer?, missing: BitRate, headroom: BitRate) -> Grant {
    Grant(
      source: wish.source, layer: layer, limitation: missing <= headroom ? .requestCap : .bandwidth,
      missing: missing)
  }

  /// A grant that bandwidth did not limit: says what else kept it below the request.
  package static func unhindered(_ wish: Wish, _ layer: Layer?) -> Grant {
    guard let layer else {
      return Grant(source: wish.source, layer: nil, limitation: wish.absence ?? .layerMissing)
    }
    let limitation: Limitation
    if wish.requested.isWithin(layer.format) {
      limitation = .none
    } else if let best = wish.ladder.last(where: { $0.format.isWithin(wish.maximum) }), best.id != layer.id,
      !wish.offers.contains(best)
    {
      limitation = .senderUplink
    } else if wish.maximum != wish.requested, !wish.requested.isWithin(wish.maximum) {
      limitation = .requestCap
    } else {
      let top = wish.ladder.last?.format ?? layer.format
      limitation = wish.requested.isWithin(top) ? .layerMissing : .sender
    }
    return Grant(source: wish.source, layer: layer, limitation: limitation)
  }
}
