package import Ladder
import Systems

/// Selection of the main-stage participant of a built-in layout (web SDK, `ClientControlledLayoutOrderingStore`).
///
/// The server upgrades a new speaker at once; the client moves the speaker to the stage once a large enough picture has
/// arrived, and shows the previous speaker until then.
package enum MainStage {
  /// A candidate for the stage.
  package struct Candidate: Hashable, Sendable {
    package var participant: Int
    /// Size of the picture currently received; `nil` for none.
    package var picture: Resolution?
    /// Set if the viewer has pinned the participant, who is then eligible with any picture.
    package var isPinned: Bool

    package init(participant: Int, picture: Resolution?, isPinned: Bool = false) {
      self.participant = participant
      self.picture = picture
      self.isPinned = isPinned
    }

    /// `true` if pinned, or if both sides of the picture exceed 90 pixels: a thumbnail has to be upgraded first.
    package var isEligible: Bool {
      isPinned || picture.map { $0.width > 90 && $0.height > 90 } ?? false
    }
  }

  /// Returns the participant on the stage from now on.
  ///
  /// - Parameters:
  ///   - current: participant on the stage who is still shown, if any.
  ///   - wanted: top-ranked participant.
  package static func next(current: Int?, wanted: Candidate?) -> Int? {
    guard let wanted else { return current }
    return wanted.isEligible ? wanted.participant : current
  }
}
