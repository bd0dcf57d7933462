package import Ladder

/// Who is on the main stage of a built-in layout (web SDK, `ClientControlledLayoutOrderingStore`).
///
/// The server gives the main picture's quality to a new speaker at once; the client moves the speaker to the stage once
/// there is a picture large enough, and until then leaves there whom it showed before.
package enum MainStage {
  /// Somebody who is, or could come, on the stage.
  package struct Candidate: Hashable, Sendable {
    package var participant: Int
    /// The picture that the viewer receives of them now; `nil` for none.
    package var picture: Resolution?
    /// Pinned by the viewer: comes on the stage whatever its picture is.
    package var isPinned: Bool

    package init(participant: Int, picture: Resolution?, isPinned: Bool = false) {
      self.participant = participant
      self.picture = picture
      self.isPinned = isPinned
    }

    /// Whether there is a picture of more than 90 pixels each way, so that a thumbnail must be upgraded first.
    package var isEligible: Bool {
      isPinned || picture.map { $0.width > 90 && $0.height > 90 } ?? false
    }
  }

  /// Who is on the stage from now on.
  ///
  /// - Parameters:
  ///   - present: who is there and still shown, if anybody.
  ///   - wanted: the most important person.
  package static func next(present: Int?, wanted: Candidate?) -> Int? {
    guard let wanted else { return present }
    return wanted.isEligible ? wanted.participant : present
  }
}
