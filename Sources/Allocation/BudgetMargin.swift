package import Quantity

/// Comparison of costs with the remaining budget that records the smallest increase that would change an outcome.
///
/// A rule whose comparisons all go through a margin makes the same decision for every larger budget up to the margin:
/// the remainder grows with the budget, so whatever fit still fits, and the first comparison to change is the failed
/// one that was closest. This finds the thresholds of an allocation to the bit per second without trying every budget.
package struct BudgetMargin: Hashable, Sendable {
  /// Smallest budget increase that may change a comparison [bit/s]; `nil` if none can.
  package private(set) var rise: Int64?

  package init() {}

  /// Checks whether a cost is at most the remainder [bit/s].
  package mutating func fits(_ cost: Int64, within left: Int64) -> Bool {
    guard cost > left else { return true }
    note(rise: cost - left)
    return false
  }

  /// Checks whether a cost is at most the remaining rate.
  package mutating func fits(_ cost: BitRate, within left: RateLimit) -> Bool {
    if left.admits(cost) { return true }
    note(rise: left.excess(of: cost).bitsPerSecond)
    return false
  }

  /// Checks whether a cost is less than the remainder [bit/s].
  package mutating func isBelow(_ cost: Int64, _ left: Int64) -> Bool {
    guard cost >= left else { return true }
    note(rise: cost - left + 1)
    return false
  }

  /// Records an increase that may change a comparison; for rules that compare something other than the budget itself, a
  /// lower bound on it, at least 1 bit/s.
  package mutating func note(rise: Int64) {
    let least = max(1, rise)
    self.rise = min(self.rise ?? least, least)
  }
}
