import Allocation
import Ladder
import Systems

/// A viewer's disabling of a track.
///
/// Settings that disable a track are ignored while it is paused for lack of bandwidth, since nothing could be probed for
/// it any more (`forwarder.go`, Mute; `track.go`, IsSubscribeMutable). They take effect with the viewer's next settings.
struct TrackHiding: Sendable {
  /// Settings by which the viewer last enabled or disabled the track; `nil` before the first.
  private var applied: (requested: VideoFormat, isHidden: Bool)?
  /// Set while the viewer's disabling is in effect.
  private(set) var isDisabled = false
  /// Set from the moment at which nothing is to be forwarded for lack of bandwidth until something is forwarded again.
  var isPaused = false

  /// Checks whether the track is disabled after a subscription.
  func isDisabled(by wish: Subscription) -> Bool {
    let isHidden = wish.visibility != .onScreen
    if let applied, applied.requested == wish.requested, applied.isHidden == isHidden { return isDisabled }
    return isHidden && (isDisabled || !isPaused)
  }

  /// Follows a subscription.
  mutating func apply(_ wish: Subscription) {
    isDisabled = isDisabled(by: wish)
    applied = (wish.requested, wish.visibility != .onScreen)
  }
}
