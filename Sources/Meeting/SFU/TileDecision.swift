import Allocation
import Ladder
import Quantity
import Systems

/// A decision on one subscription, as `decisions.csv` has it.
struct TileDecision {
  var grant: Grant
  /// Place in the order in which subscriptions are served, from 1.
  var rank: Int
  /// What it takes of the budget, as the rule counts it.
  var bitrate: BitRate
  /// The rule's name in its system's folder.
  var rule: String
  /// Whether the client has kept the tile below what the rule gave.
  var isClients = false
  /// What was granted before; `nil` for nothing.
  var previous: LayerID?
}

extension SFU {
  /// What a viewer's server has decided on its subscriptions, in their order.
  func decisions(on wishes: [Wish], of viewer: Int) -> [TileDecision] {
    let order = servers.servedOrder(viewer)
    return wishes.map { wish in
      let decision = servers.decision(on: wish.source, viewer)
      return TileDecision(
        grant: servers.grant(for: wish, viewer), rank: (order.firstIndex(of: wish.source) ?? order.count) + 1,
        bitrate: decision?.bitrate ?? .zero, rule: decision?.rule ?? "")
    }
  }

  /// Notes what a viewer's server has decided by.
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
