/// Behaviour of a mobile SDK's subscribers when the app resigns active (`willResignActive`); applies to every system.
///
/// Source: Vonage's guides on picture in picture and background state. By default, subscribers observe the app's state
/// and stop their video; an app with picture in picture removes the observer of the subscriber shown in the window.
package enum ResignObserver: String, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// Only the window's video continues, or none without a window: the app removes the observer when the window opens
  /// and adds it back when the window closes.
  case automatic
  /// All video stops, including the window's: Vonage's default.
  case kept
  /// Video continues: only the window's, or all video without a window. If specified for a single participant, that
  /// participant's video continues in either case.
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
