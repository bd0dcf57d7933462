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

  /// Whose client is modelled; it sets all that follows, and each value can be set by itself.
  package enum Client: String, Hashable, Sendable, CaseIterable {
    /// What the guide on the video renderer describes: the iOS SDK's tiles, with hidden ones unsubscribed, and the
    /// JavaScript SDK's timing.
    case guide
    /// The iOS SDK as it is: hidden tiles are kept, and changes are sent without a timer.
    case ios
    /// The JavaScript SDK.
    case javascript
  }

  package var client: Client
  package var hidden: Hidden
  /// Share of a tile that must be on screen [0.30 along each axis with iOS; 0.35 of its area with JavaScript; of a tile
  /// that scrolls upwards both are the share of its height].
  package var visibleShare: Double
  /// Time from a growing tile, a new source or an override to the new subscription [JavaScript: 20 ms; iOS: 10 ms, the
  /// time after which a view reports its size]. A later change restarts the time.
  package var immediate: SimDuration
  /// The same from a source that stops [JavaScript: 100 ms; iOS: 10 ms].
  package var fast: SimDuration
  /// The same from a tile that shrinks, comes on screen or leaves it [JavaScript: 600 ms; iOS: 10 ms].
  package var medium: SimDuration
  /// Somebody who joins when this many are known starts hidden [iOS: 10; JavaScript: never].
  package var hiddenFrom: Int

  /// The values of a client (GetStream's SDKs for iOS and JavaScript, in 2026).
  package init(client: Client = .guide) {
    self.client = client
    let hasTimers = client != .ios
    hidden = client == .ios ? .keep : .unsubscribe
    visibleShare = client == .javascript ? 0.35 : 0.3
    immediate = .milliseconds(hasTimers ? 20 : 10)
    fast = .milliseconds(hasTimers ? 100 : 10)
    medium = .milliseconds(hasTimers ? 600 : 10)
    hiddenFrom = client == .javascript ? .max : 10
  }
}
