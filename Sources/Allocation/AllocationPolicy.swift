package import Ladder
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
  func allocate(budget: RateLimit, cap: RateLimit, wishes: [Subscription]) -> [Grant]
  /// Returns one grant per wish and records how much more budget may change a grant; a policy that ignores the budget
  /// records nothing.
  func allocate(budget: RateLimit, cap: RateLimit, wishes: [Subscription], _ margin: inout BudgetMargin)
    -> [Grant]
  /// Indices of the wishes in the order in which they are served.
  func order(of wishes: [Subscription]) -> [Int]
}

extension AllocationPolicy {
  package func allocate(
    budget: RateLimit, cap: RateLimit, wishes: [Subscription], _ margin: inout BudgetMargin
  ) -> [Grant] {
    allocate(budget: budget, cap: cap, wishes: wishes)
  }

  package func order(of wishes: [Subscription]) -> [Int] { Array(wishes.indices) }

  /// Returns the layer that each wish would be given if the viewer's downlink were not short either; `nil` for
  /// nothing.
  ///
  /// If a wish gets nothing even so, as when the full rate of its layers exceeds a cap, it is the best layer within
  /// the request: its encoder may take less.
  ///
  /// - Parameter wishes: with the whole ladder on offer (``Subscription/withWholeLadder``).
  package func desires(_ wishes: [Subscription], within limit: DecoderLimit?) -> [Layer?] {
    let grants = allocate(budget: .unlimited, cap: .unlimited, wishes: wishes, within: limit)
    return zip(wishes, grants).map { wish, grant in
      grant.limitation == .device ? grant.layer : grant.layer ?? wish.bestWithinRequest
    }
  }

  /// Checks whether a wish would be given more than a grant without its own caps.
  package func isCapped(_ wish: Subscription, at grant: Grant) -> Bool {
    // The next layer would exceed the cap, or the layer is held at the rate that the cap leaves.
    if grant.missing > .zero || grant.bearable != nil { return true }
    let isHigher = { (other: Layer) in grant.layer.map { other.id > $0.id } ?? true }
    // The usual case, which every policy decides alike.
    if wish.ladder.contains(where: {
      isHigher($0) && $0.format.isWithin(wish.requested) && !$0.format.isWithin(wish.maximum)
    }) {
      return true
    }
    return desires([wish.uncapped.withWholeLadder], within: nil).first.flatMap { $0 }.map(isHigher) ?? false
  }

  /// Allocates for a client without a receive cap.
  package func allocate(budget: RateLimit, wishes: [Subscription]) -> [Grant] {
    allocate(budget: budget, cap: .unlimited, wishes: wishes)
  }
}
