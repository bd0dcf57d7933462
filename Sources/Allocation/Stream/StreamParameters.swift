package import Quantity

/// What can be set about GetStream's rules.
package struct StreamParameters: Hashable, Sendable {
  /// What happens to the track of a tile that is not visible.
  package enum Hidden: String, Hashable, Sendable, CaseIterable {
    /// The JavaScript SDK's way.
    case unsubscribe
    /// The iOS SDK's way: still subscribed at the last size.
    case keep
  }

  package var hidden = Hidden.unsubscribe
  /// Share of a tile that must be on screen along each axis [iOS 0.30; JavaScript 0.35 of its area].
  package var visibleShare = 0.3
  /// Debounce of the subscription list [JavaScript SDK: immediate, fast, medium, slow].
  package var immediate = SimDuration.milliseconds(20)
  package var fast = SimDuration.milliseconds(100)
  package var medium = SimDuration.milliseconds(600)
  /// Somebody who joins when this many are known starts hidden [iOS SDK: 10].
  package var hiddenFrom = 10

  package init() {}
}
