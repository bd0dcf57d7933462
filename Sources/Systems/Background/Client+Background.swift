package import Allocation
import Ladder

/// Subscriptions of an app in the background.
extension Client {
  /// Checks whether a participant's video continues, according to the participant's own observer if one is specified,
  /// else the view's.
  private func continues(_ participant: Int, inWindow isShown: Bool) -> Bool {
    switch screen.stated.observers[participant] {
    case .removed: return true
    case .automatic: return isShown
    case .kept: return false
    case nil: break
    }
    let general = screen.plan.resignObserver ?? traits.observer
    switch general.video(hasWindow: screen.background.current?.window != nil) {
    case .everything: return true
    case .window: return isShown
    case .nothing: return false
    }
  }

  /// Returns the window's subscription first, then those whose video continues outside it.
  func backgroundWishes(_ background: Background, _ roster: Roster) -> [Subscription] {
    let shown = background.window?.source(roster)
    var wishes: [Subscription] = []
    if let window = background.window, let shown,
      continues(roster.sources[shown].participant, inWindow: true)
    {
      wishes += wish(for: .window(window, source: shown), roster).map { [screen.gated($0, roster)] } ?? []
    }
    return wishes
      + foregroundWishes(roster).filter {
        $0.source != shown && continues(roster.sources[$0.source].participant, inWindow: false)
      }
  }

  /// Checks whether the observer stops the video of the source that the window shows.
  private func windowIsStopped(_ roster: Roster) -> Bool {
    guard let window = screen.background.current?.window else { return false }
    if let shown = window.source(roster) {
      return !continues(roster.sources[shown].participant, inWindow: true)
    }
    return (screen.plan.resignObserver ?? traits.observer) == .kept
  }

  /// Moves the app to the background or, with `nil`, to the foreground.
  ///
  /// - Returns: the result, with the reason if the app has a window but it does not appear or has no video.
  mutating func enter(_ background: Background?, _ roster: Roster) -> String {
    guard var next = background else {
      screen.background.current = nil
      return "ok"
    }
    var reason: String?
    if next.startsWindow, let own = screen.plan.window {
      if own.startsFromInline { next.window = own } else { reason = "the window does not start from inline" }
    }
    if next.window != nil, let obstacle = screen.stated.windowObstacle {
      next.window = nil
      reason = obstacle.rawValue
    }
    screen.background.current = next
    if let window = next.window, window.source(roster) == nil {
      reason = "the window's participant sends no video"
    }
    if windowIsStopped(roster) { reason = "the resign observer stops the window's video" }
    return reason.map { "ok: \($0)" } ?? "ok"
  }

  /// Returns the default subscription for a window: at most its size, rotated to the picture's orientation.
  package func plainWindowWish(for source: Int, in window: PictureInPicture, _ roster: Roster) -> Subscription
  {
    let own = roster.sources[source]
    let isLow = own.ladder.last.map { !$0.format.resolution.fits(in: window.size) } ?? false
    let format = VideoFormat(window.size.turned(like: own.capture.resolution), framesPerSecond: 30)
    var wish = roster.wish(for: source, format, tile: window.size, wantsLow: isLow)
    wish.confine(to: window.size)
    return wish
  }
}
