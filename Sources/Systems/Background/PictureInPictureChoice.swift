/// Selection of the source in a picture-in-picture window for which the app names nobody (GetStream iOS SDK).
package enum PictureInPictureChoice {
  /// A remote participant.
  package struct Remote: Hashable, Sendable {
    package var sharesScreen: Bool
    package var isDominant: Bool
    package var sendsVideo: Bool

    package init(sharesScreen: Bool = false, isDominant: Bool = false, sendsVideo: Bool = false) {
      self.sharesScreen = sharesScreen
      self.isDominant = isDominant
      self.sendsVideo = sendsVideo
    }
  }

  /// Selects a participant sharing the screen, else the dominant speaker, else the first participant who sends video,
  /// else the first participant.
  ///
  /// - Parameter remotes: remote participants in join order.
  /// - Returns: an index into `remotes`; `nil` if it is empty, in which case the window shows the local user.
  package static func index(among remotes: [Remote]) -> Int? {
    remotes.firstIndex { $0.sharesScreen } ?? remotes.firstIndex { $0.isDominant }
      ?? remotes.firstIndex { $0.sendsVideo } ?? remotes.indices.first
  }
}
