package import Quantity

/// The rules by which a budget is shared among wishes.
///
/// A pure function: the same budget and wishes give the same grants. Whatever needs time or memory is a state machine
/// of its own beside the policy.
package protocol AllocationPolicy: Sendable {
  /// One grant for each wish, in the wishes' order.
  ///
  /// - Parameters:
  ///   - budget: what the way to the viewer carries of video.
  ///   - cap: what the viewer's client accepts of it; the grants keep within both.
  ///   - wishes: what the viewer wants.
  func allocate(budget: BitRate, cap: BitRate, wishes: [Wish]) -> [Grant]
}

extension AllocationPolicy {
  /// As ``allocate(budget:cap:wishes:)`` for a client that accepts whatever its way carries.
  package func allocate(budget: BitRate, wishes: [Wish]) -> [Grant] {
    allocate(budget: budget, cap: .unlimited, wishes: wishes)
  }
}
