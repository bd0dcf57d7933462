package import Ladder
package import Quantity

/// Allocates a viewer's video budget among its subscriptions.
///
/// A pure function: the same budget and subscriptions give the same grants. Anything that needs time or memory is a
/// separate state machine.
package protocol AllocationPolicy: Sendable {
  /// Returns one grant per subscription, in the same order.
  ///
  /// - Parameters:
  ///   - budget: the downlink's bit rate available to video.
  ///   - cap: the client's own receive limit; the grants stay within both.
  ///   - wishes: the viewer's subscriptions.
  ///   - margin: takes how much more budget may change a grant; a policy that ignores the budget notes nothing.
  func allocate(budget: RateLimit, cap: RateLimit, wishes: [Subscription], _ margin: inout BudgetMargin)
    -> [Grant]
  /// Returns the indices of the subscriptions in the order of service.
  func order(of wishes: [Subscription]) -> [Int]
}

extension AllocationPolicy {
  /// Allocates without the margin of the budget.
  package func allocate(budget: RateLimit, cap: RateLimit = .unlimited, wishes: [Subscription]) -> [Grant] {
    var margin = BudgetMargin()
    return allocate(budget: budget, cap: cap, wishes: wishes, &margin)
  }

  package func order(of wishes: [Subscription]) -> [Int] { Array(wishes.indices) }

  /// Returns the ranks of subscriptions in the order of service, from 1.
  package func ranks(of wishes: [Subscription]) -> [Int] {
    var ranks = [Int](repeating: 0, count: wishes.count)
    for (place, index) in order(of: wishes).enumerated() { ranks[index] = place + 1 }
    return ranks
  }

  /// Name of its type, the rule in `decisions.csv`; finding it takes longer than a decision on a few tiles.
  package var ruleName: String { String(describing: type(of: self)) }

  /// Returns the layer that each subscription would get if the viewer's downlink were not short either; `nil` for none.
  ///
  /// If a subscription gets nothing even then, for example because its layers' full rates exceed a cap, this is the
  /// best layer within the request, since its encoder may use less.
  ///
  /// - Parameter wishes: subscriptions with the whole ladder on offer (``Subscription/withWholeLadder``).
  package func desires(_ wishes: [Subscription], within limit: DecoderLimit?) -> [Layer?] {
    let grants = allocate(budget: .unlimited, cap: .unlimited, wishes: wishes, within: limit)
    return zip(wishes, grants).map { wish, grant in
      grant.limitation == .device ? grant.layer : grant.layer ?? wish.bestWithinRequest
    }
  }

  /// Checks whether a subscription would get more than a grant without its own caps.
  package func isCapped(_ wish: Subscription, at grant: Grant) -> Bool {
    // The next layer would exceed the cap, or the layer is held at the rate that the cap leaves.
    if grant.missing > .zero || grant.bearable != nil { return true }
    let isHigher = { (other: Layer) in grant.layer.map { other.id > $0.id } ?? true }
    // The usual case, which all policies decide alike.
    if wish.ladder.contains(where: {
      isHigher($0) && $0.format.isWithin(wish.requested) && !$0.format.isWithin(wish.maximum)
    }) {
      return true
    }
    return desires([wish.uncapped.withWholeLadder], within: nil).first.flatMap { $0 }.map(isHigher) ?? false
  }
}

extension [Grant] {
  /// Completes a policy's grants.
  ///
  /// - Parameter ranks: ``AllocationPolicy/ranks(of:)`` of the same subscriptions.
  package mutating func complete(ranks: [Int]) {
    for place in indices {
      self[place].rank = ranks[place]
      self[place].taken = self[place].layer?.bitrate ?? .zero
    }
  }
}
