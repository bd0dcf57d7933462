package import Allocation
import Ladder
import Quantity

extension Grant {
  /// What a rule's decision means for a subscription, and what limits it.
  package init(_ decision: SourceDecision, of subscription: Subscription) {
    let wish = subscription.wish
    let layer = decision.layer.flatMap { id in subscription.layers.last { $0.id == id } }
    guard wish.visibility == .onScreen, wish.absence == nil else {
      self = Grant(source: wish.source, layer: layer, limitation: wish.absence ?? .offScreen)
      return
    }
    if let hindrance = decision.hindrance {
      self = Grant(
        source: wish.source, layer: layer, limitation: hindrance,
        missing: hindrance == .bandwidth ? decision.missing : .zero)
      return
    }
    self = .unhindered(wish, layer)
    // That a tile takes a slightly smaller picture is no cap that somebody has set.
    if limitation == .requestCap, wish.gate == nil, wish.window == nil, wish.demand.maximumLines == nil,
      wish.demand.ceiling == nil
    {
      let top = wish.ladder.last?.format ?? wish.maximum
      limitation = wish.requested.isWithin(top) ? .layerMissing : .sender
    }
  }
}
