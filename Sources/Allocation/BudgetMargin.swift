package import Quantity

/// Compares costs with what is left of a budget, and keeps by how little the budget was too small for another outcome.
///
/// A rule whose comparisons all go through a margin decides alike for every larger budget up to the margin: what is left
/// grows as the budget does, so that what fitted still fits, and the first comparison to turn is the closest one that
/// failed. That is how the thresholds of an allocation are found to the bit per second, without trying every budget.
package struct BudgetMargin: Hashable, Sendable {
  /// The least rise of the budget after which a comparison may turn out otherwise [bit/s]; `nil` if none can.
  package private(set) var rise: Int64?

  package init() {}

  /// Whether a cost is at most what is left [bit/s].
  package mutating func fits(_ cost: Int64, within left: Int64) -> Bool {
    guard cost > left else { return true }
    note(rise: cost - left)
    return false
  }

  /// Whether a cost is at most what is left.
  package mutating func fits(_ cost: BitRate, within left: RateLimit) -> Bool {
    if left.admits(cost) { return true }
    note(rise: left.excess(of: cost).bitsPerSecond)
    return false
  }

  /// Whether a cost is less than what is left [bit/s].
  package mutating func isBelow(_ cost: Int64, _ left: Int64) -> Bool {
    guard cost >= left else { return true }
    note(rise: cost - left + 1)
    return false
  }

  /// Notes a rise after which a comparison may turn out otherwise; for rules that compare with other than the budget
  /// itself, a lower bound of it, at least 1 bit/s.
  package mutating func note(rise: Int64) {
    let least = max(1, rise)
    self.rise = min(self.rise ?? least, least)
  }
}
