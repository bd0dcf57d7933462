import Allocation
import Ladder
import Plan
package import Quantity
import Systems

/// Records that the SFU leaves for the tables.
extension SFU {
  /// Records the decisions on a viewer's subscriptions.
  ///
  /// - Parameter previous: the layers granted before; `nil` for none.
  mutating func recordDecisions(_ grants: [Grant], after previous: [LayerID?], of viewer: Int) {
    guard let budget = allocator.budgets[viewer].decided else { return }
    let decided = zip(grants, previous).compactMap { grant, previous in
      allocator.grantedTile(allocator.streams.track(viewer: viewer, source: grant.source)).map {
        (grant, $0, previous)
      }
    }
    records.append(.decisions(decided, viewer: viewer, budget: budget))
  }

  /// Records a server's new decision that repeats the last one, perhaps with another budget.
  mutating func recordUnchanged(of viewer: Int) {
    let grants = servers.grants(of: allocator.subscriptions(of: viewer), viewer)
    recordDecisions(grants, after: grants.map(\.layer?.id), of: viewer)
  }

  /// Notes the budget that a viewer's server has decided with.
  package mutating func noteDecision(of viewer: Int, within estimate: BitRate) {
    allocator.budgets[viewer].noteDecision(
      within: estimate, clientCap: allocator.receiveCaps[viewer],
      acted: servers.lastState(viewer)?.budget, serverCap: servers.cap(viewer))
  }
}
