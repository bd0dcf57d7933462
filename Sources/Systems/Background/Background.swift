/// State of an app in the background.
package struct Background: Hashable, Sendable {
  /// Picture-in-picture window, if any.
  package var window: PictureInPicture?
  /// Set if the view's own window starts, provided the view has one that starts from inline; ``window`` is `nil` at
  /// first.
  package var startsWindow: Bool

  package init(window: PictureInPicture? = nil, startsWindow: Bool = false) {
    self.window = window
    self.startsWindow = startsWindow
  }
}
