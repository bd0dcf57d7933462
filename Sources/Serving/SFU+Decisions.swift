package import Allocation
package import Quantity
package import Systems

extension SFU {
  /// Returns the decisions of a viewer's server on its subscriptions, in their order.
  package func decisions(on wishes: [Subscription], of viewer: Int) -> [TileDecision] {
    let order = servers.servedOrder(viewer)
    return wishes.map { wish in
      let decision = servers.decision(on: wish.source, viewer)
      return TileDecision(
        grant: servers.grant(for: wish, viewer), rank: (order.firstIndex(of: wish.source) ?? order.count) + 1,
        bitrate: decision?.bitrate ?? .zero, rule: decision?.rule ?? "")
    }
  }

  /// Notes the budget that a viewer's server has decided with: of the current estimate, or of an earlier one that it
  /// still acts on.
  ///
  /// A capacity that the server has settled on may be above the current estimate.
  package mutating func noteDecision(of viewer: Int, within estimate: BitRate) {
    var first = VideoBudget(estimate: estimate)
    first.cap = allocator.receiveCaps[viewer]
    var budget = allocator.budgets[viewer].reported ?? first
    if let acted = servers.lastState(viewer)?.budget, budget.total.rate != acted {
      let last = allocator.budgets[viewer].decided
      budget = last.flatMap { $0.total.rate == acted ? $0 : nil } ?? budget.leaving(acted)
    }
    if let cap = servers.cap(viewer) {
      if !budget.available.admits(cap) { budget = budget.leaving(cap) }
      budget.cap = RateLimit(cap)
    }
    allocator.budgets[viewer].decided = budget
  }
}
