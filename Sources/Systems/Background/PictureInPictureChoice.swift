/// What a picture-in-picture window shows when the app names nobody (GetStream iOS SDK).
package enum PictureInPictureChoice {
  /// Somebody else in the meeting.
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

  /// A screen share, else the dominant speaker, else the first who sends video, else the first.
  ///
  /// - Parameter remotes: the others in the order of joining.
  /// - Returns: an index into `remotes`; `nil` when there is nobody, and the window shows the viewer.
  package static func index(among remotes: [Remote]) -> Int? {
    remotes.firstIndex { $0.sharesScreen } ?? remotes.firstIndex { $0.isDominant }
      ?? remotes.firstIndex { $0.sendsVideo } ?? remotes.indices.first
  }
}
