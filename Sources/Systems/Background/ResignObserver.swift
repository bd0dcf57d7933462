/// Behaviour of a mobile SDK's subscribers when the app resigns active (`willResignActive`); applies to every system.
///
/// Source: Vonage's guides on picture in picture and background state. By default its subscribers observe the app's
/// state and stop their video; an app with picture in picture removes the observer of the subscriber that it shows.
package enum ResignObserver: String, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// Only the window's video continues, and none without a window: the app removes and adds the observer along with its
  /// window.
  case automatic
  /// All video stops, including the window's: Vonage's default.
  case kept
  /// Video continues: only the window's, or everything without a window. Stated for one participant, it lets that
  /// participant's video continue in either case.
  case removed

  /// Video that continues in the background.
  package enum Video: Hashable, Sendable {
    case everything, window, nothing
  }

  /// Returns the video that continues in the background, with or without a picture-in-picture window.
  package func video(hasWindow: Bool) -> Video {
    switch (self, hasWindow) {
    case (.kept, _), (.automatic, false): .nothing
    case (.automatic, true), (.removed, true): .window
    case (.removed, false): .everything
    }
  }
}
