/// What the subscribers of a mobile SDK do when the app resigns (`willResignActive`): a rule that every system can use.
///
/// Source: Vonage's guides on picture in picture and background state. By default its subscribers observe the app's
/// state and stop their video; an app with picture in picture removes the observer.
package enum ResignObserver: String, Hashable, Sendable, CaseIterable {
  /// Only the window's picture goes on, and nothing without a window: an app that removes and adds the observer as its
  /// window needs.
  case automatic
  /// All video stops, whatever the window would show: Vonage's default.
  case kept
  /// Video goes on: the window's alone, or without a window everything.
  case removed

  /// What goes on in the background.
  package enum Video: Hashable, Sendable {
    case everything, window, nothing
  }

  /// What goes on in the background, with a picture-in-picture window or without.
  package func video(hasWindow: Bool) -> Video {
    switch (self, hasWindow) {
    case (.kept, _), (.automatic, false): .nothing
    case (.automatic, true), (.removed, true): .window
    case (.removed, false): .everything
    }
  }
}
