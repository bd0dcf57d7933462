import Allocation
import Ladder
import Plan
package import Quantity
import Systems

/// Records that the SFU leaves for the tables.
extension SFU {
  /// Records the decisions on a viewer's subscriptions.
  mutating func recordDecisions(_ decisions: [TileDecision], on wishes: [Subscription], of viewer: Int) {
    guard let budget = allocator.budgets[viewer].decided else { return }
    let decided = zip(decisions, wishes).compactMap { decision, wish in
      allocator.grantedTile(allocator.streams.track(viewer: viewer, source: wish.source)).map {
        (decision, $0)
      }
    }
    records.append(.decisions(decided, viewer: viewer, budget: budget))
  }

  /// Records a server's new decision that repeats the last one, perhaps with another budget.
  mutating func recordUnchanged(of viewer: Int) {
    let wishes = allocator.subscriptions(of: viewer)
    var decisions = servers.decisions(on: wishes, of: viewer)
    for place in decisions.indices { decisions[place].previous = decisions[place].grant.layer?.id }
    recordDecisions(decisions, on: wishes, of: viewer)
  }

  /// Notes the budget that a viewer's server has decided with.
  package mutating func noteDecision(of viewer: Int, within estimate: BitRate) {
    allocator.budgets[viewer].noteDecision(
      within: estimate, clientCap: allocator.receiveCaps[viewer],
      acted: servers.lastState(viewer)?.budget, serverCap: servers.cap(viewer))
  }
}
