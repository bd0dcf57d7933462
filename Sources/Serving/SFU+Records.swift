package import Allocation
import Ladder
import Plan
import Quantity
import Systems

/// Records that the SFU leaves for the tables.
extension SFU {
  /// Records the decisions on a viewer's subscriptions.
  mutating func recordDecisions(_ decisions: [TileDecision], on wishes: [Subscription], of viewer: Int) {
    guard let budget = allocator.budgets[viewer].decided else { return }
    let decided = zip(decisions, wishes).compactMap { decision, wish in
      grantedTile(allocator.streams.track(viewer: viewer, source: wish.source)).map { (decision, $0) }
    }
    records.append(.decisions(decided, viewer: viewer, budget: budget))
  }

  /// Records a server's new decision that repeats the last one, perhaps with another budget.
  mutating func recordUnchanged(of viewer: Int) {
    let wishes = allocator.subscriptions(of: viewer)
    var decisions = decisions(on: wishes, of: viewer)
    for place in decisions.indices { decisions[place].previous = decisions[place].grant.layer?.id }
    recordDecisions(decisions, on: wishes, of: viewer)
  }

  /// Returns a tile as granted, whether or not it is forwarded yet; `nil` if it is not subscribed to.
  package func grantedTile(_ track: Int) -> GrantedTile? {
    guard let grant = allocator.subscriptions.grants[track], let wish = allocator.subscriptions[track] else {
      return nil
    }
    return GrantedTile(
      wish, grant, desire: allocator.subscriptions.desires[track], by: allocator.policy,
      isSentToOrder: controller != nil)
  }
}
