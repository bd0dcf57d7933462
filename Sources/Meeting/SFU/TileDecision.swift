import Allocation
import Ladder
import Quantity
import Systems

/// A decision on one subscription, for `decisions.csv`.
struct TileDecision {
  var grant: Grant
  /// Place in the order of service, from 1.
  var rank: Int
  /// Rate that it takes of the budget, as the rule counts it.
  var bitrate: BitRate
  /// Name of the rule in its system's folder.
  var rule: String
  /// Set if the tile is limited while it ramps up.
  var isRampingUp = false
  /// Layer granted before; `nil` for none.
  var previous: LayerID?
}

extension SFU {
  /// Returns the decisions of a viewer's server on its subscriptions, in their order.
  func decisions(on wishes: [Wish], of viewer: Int) -> [TileDecision] {
    let order = servers.servedOrder(viewer)
    return wishes.map { wish in
      let decision = servers.decision(on: wish.source, viewer)
      return TileDecision(
        grant: servers.grant(for: wish, viewer), rank: (order.firstIndex(of: wish.source) ?? order.count) + 1,
        bitrate: decision?.bitrate ?? .zero, rule: decision?.rule ?? "")
    }
  }

  /// Notes the budget with which a viewer's server has decided.
  ///
  /// A capacity that the server has settled on may be above the current estimate.
  mutating func noteDecision(of viewer: Int, within estimate: BitRate) {
    var budget = allocator.budgets[viewer].reported ?? VideoBudget(estimate: estimate)
    if let cap = servers.cap(viewer) {
      if !budget.available.admits(cap) { budget = budget.leaving(cap) }
      budget.cap = RateLimit(cap)
    }
    allocator.budgets[viewer].decided = budget
  }
}
