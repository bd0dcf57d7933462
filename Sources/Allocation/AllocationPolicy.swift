package import Quantity

/// Allocates a viewer's video budget among its subscriptions.
///
/// A pure function: the same budget and wishes give the same grants. Anything that needs time or memory is a separate
/// state machine.
package protocol AllocationPolicy: Sendable {
  /// Returns one grant per wish, in the order of the wishes.
  ///
  /// - Parameters:
  ///   - budget: the downlink's bit rate available to video.
  ///   - cap: the client's own receive limit; the grants stay within both.
  ///   - wishes: the viewer's subscriptions.
  func allocate(budget: BitRate, cap: BitRate, wishes: [Wish]) -> [Grant]
  /// The same, noting how much more budget may change a grant; a policy that ignores the budget has nothing to note.
  func allocate(budget: BitRate, cap: BitRate, wishes: [Wish], _ margin: inout BudgetMargin) -> [Grant]
  /// Indices of the wishes in the order in which they are served.
  func order(of wishes: [Wish]) -> [Int]
}

extension AllocationPolicy {
  package func allocate(
    budget: BitRate, cap: BitRate, wishes: [Wish], _ margin: inout BudgetMargin
  ) -> [Grant] {
    allocate(budget: budget, cap: cap, wishes: wishes)
  }

  package func order(of wishes: [Wish]) -> [Int] { Array(wishes.indices) }

  /// Allocates for a client without a receive cap.
  package func allocate(budget: BitRate, wishes: [Wish]) -> [Grant] {
    allocate(budget: budget, cap: .unlimited, wishes: wishes)
  }
}
