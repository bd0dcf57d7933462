import Allocation
import Ladder
import Plan
package import Quantity
import Systems

/// Records that the SFU leaves for the tables.
extension SFU {
  /// Records a server's new decision that repeats the last one, perhaps with another budget.
  mutating func recordUnchanged(of viewer: Int) {
    let (grants, rules) = servers.grants(of: allocator.subscriptions(of: viewer), viewer)
    records += allocator.record(of: grants, by: rules, after: grants.map(\.layer?.id), viewer: viewer)
  }

  /// Notes the budget that a viewer's server has decided with.
  package mutating func noteDecision(of viewer: Int, within estimate: BitRate) {
    allocator.budgets[viewer].noteDecision(
      within: estimate, clientCap: allocator.receiveCaps[viewer],
      acted: servers.lastState(viewer)?.budget, serverCap: servers.cap(viewer))
  }
}
