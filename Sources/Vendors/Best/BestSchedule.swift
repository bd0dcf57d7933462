package import Allocation
package import Quantity
import Systems

/// Schedule that decides at once when the budget no longer carries the allocation, and otherwise at most once per
/// period.
package struct BestSchedule: ServerSchedule {
  private let spacing: SimDuration
  private var decidedAt: SimTime?
  package private(set) var dueAt: SimTime?

  package init(spacing: SimDuration) { self.spacing = spacing }

  package mutating func receive(_ estimate: BitRate, allocated: BitRate, at now: SimTime) -> Bool {
    guard estimate >= allocated, let decidedAt, now - decidedAt < spacing else { return true }
    dueAt = decidedAt + spacing
    return false
  }

  /// Any change triggers reallocation, also of a source's layers.
  package func reacts(to wish: Subscription, after before: Subscription) -> Bool { wish != before }

  package mutating func noteDecision(at now: SimTime) {
    decidedAt = now
    dueAt = nil
  }
}
