package import Ladder
import Quantity

/// A picture-in-picture window.
package struct PictureInPicture: Hashable, Sendable {
  /// Source that the window shows.
  package enum Subject: Hashable, Sendable {
    case participant(Int)
    /// Source selected by ``PictureInPictureChoice``.
    case automatic
  }

  package var subject: Subject
  /// Size [px]; no larger layer is received, except the lowest encoding.
  package var size: Resolution
  /// Set if the window starts automatically when the app goes to the background
  /// (`canStartPictureInPictureAutomaticallyFromInline`, which Vonage's sample sets).
  package var startsFromInline = true

  package init(_ subject: Subject, size: Resolution = PictureInPicture.preferredSize) {
    self.subject = subject
    self.size = size
  }

  /// Preferred size of Vonage's and GetStream's windows.
  package static let preferredSize = Resolution(width: 640, height: 480)

  /// First version of iOS that supports picture in picture for video calls (Apple, Vonage).
  package static let leastSystemVersion = 15

  /// Reason why a device shows no window.
  package enum Obstacle: String, Hashable, Sendable {
    /// Switched off by the user in Settings.
    case switchedOff = "picture-in-picture is off in Settings"
    case oldSystem = "picture-in-picture needs iOS 15"
  }

  /// Returns the reason why a device shows no windows; `nil` if it does.
  ///
  /// - Parameter systemVersion: major version of iOS; `nil` for a recent one.
  package static func obstacle(isSwitchedOn: Bool, systemVersion: Int?) -> Obstacle? {
    if let systemVersion, systemVersion < leastSystemVersion { return .oldSystem }
    return isSwitchedOn ? nil : .switchedOff
  }
}

extension PictureInPicture {
  /// Returns the source that the window shows; `nil` if there is none, in which case it shows the local user.
  func source(_ roster: Roster) -> Int? {
    switch subject {
    case .participant(let shown):
      return roster.members[shown].isJoined && shown != roster.viewer ? roster.members[shown].camera : nil
    case .automatic:
      let members = roster.members
      let remotes = members.indices.filter { $0 != roster.viewer && members[$0].isJoined }
        .sorted { (members[$0].joinedAt, $0) < (members[$1].joinedAt, $1) }
      let dominant = roster.speechOrder.first(where: remotes.contains)
      func sharesScreen(_ remote: Int) -> Bool {
        members[remote].screen.map { roster.sources[$0].isCapturing } ?? false
      }
      let choice = PictureInPictureChoice.index(
        among: remotes.map { remote in
          PictureInPictureChoice.Remote(
            sharesScreen: sharesScreen(remote), isDominant: remote == dominant,
            sendsVideo: roster.isCapturing(remote))
        })
      guard let choice else { return nil }
      let shown = remotes[choice]
      return sharesScreen(shown) ? members[shown].screen : members[shown].camera
    }
  }
}
