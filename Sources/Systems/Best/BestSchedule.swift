import Quantity

/// Decides at once when the budget no longer carries the allocation, and otherwise at most once per period.
struct BestSchedule: ServerSchedule {
  private let spacing: SimDuration
  private var decidedAt: SimTime?
  private(set) var dueAt: SimTime?

  init(spacing: SimDuration) { self.spacing = spacing }

  mutating func receive(_ estimate: BitRate, allocated: BitRate, at now: SimTime) -> Bool {
    guard estimate >= allocated, let decidedAt, now - decidedAt < spacing else { return true }
    dueAt = decidedAt + spacing
    return false
  }

  mutating func noteDecision(at now: SimTime) {
    decidedAt = now
    dueAt = nil
  }
}
