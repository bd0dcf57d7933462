/// Result of a call or an action: the column `result` of `events.csv`, which may be followed by a reason (`ok: …`).
///
/// Names in camel case come from the vendors.
package enum CallResult: String, Sendable, CaseIterable {
  case ok
  case notInMeeting, noView
  case notUsingCustomLayouts, emptyConfiguration, streamLimitExceeded, invalidStreamPriorityCombination
  case invalidStreamQuality, duplicateParticipantIds, noParticipantsWithIds, missingPriorityOrParticipant
  case notAllowed = "not-allowed"
  case noGrid, unchanged, unsupported, noSignals
  case noParticipantWithId, noStreamForParticipantId, notAttached
  case completed, noVideoConnection
  case success = "Success"
  case notUsingCustomVideoSource = "NotUsingCustomVideoSource"
  case videoMuted = "VideoMuted"
  case noLowStream
  case maxFrameSizeExceeded, unsupportedAspectRatio, notPushing

  /// Explanation as a phrase without an initial capital or a full stop.
  package var meaning: String {
    switch self {
    case .ok: "done; a reason follows where it has no or less effect"
    case .notInMeeting: "the participant is not in the meeting"
    case .noView: "the participant has no view"
    case .notUsingCustomLayouts: "a built-in layout is selected, or the client may not request streams"
    case .emptyConfiguration: "the request has no entry"
    case .streamLimitExceeded: "the request has more than 25 entries"
    case .invalidStreamPriorityCombination: "some entries have a priority and others have none"
    case .invalidStreamQuality: "an entry has a quality that does not exist"
    case .duplicateParticipantIds: "several entries name the same participant"
    case .noParticipantsWithIds: "entries name participants that are not in the meeting or have no camera"
    case .missingPriorityOrParticipant: "an entry has neither a priority nor a participant; our name"
    case .notAllowed: "the client's licence has no custom layout"
    case .noGrid: "only a view with 'grid' or 'container' scrolls or turns"
    case .unchanged: "it is so already"
    case .unsupported: "the system has no such call"
    case .noSignals: "only a view with 'signals' takes them"
    case .noParticipantWithId: "that participant is not in the meeting"
    case .noStreamForParticipantId: "no stream of that participant is received"
    case .notAttached: "that participant's stream is attached to no view"
    case .completed: "the video source has changed"
    case .noVideoConnection: "the participant has neither a camera nor a custom source"
    case .success: "the frames were taken"
    case .notUsingCustomVideoSource: "the camera is the source"
    case .videoMuted: "the participant's video is muted"
    case .maxFrameSizeExceeded: "the frame is larger than the client takes"
    case .unsupportedAspectRatio: "the frame is neither 16:9 nor 4:3"
    case .noLowStream: "no low stream is sent, and nothing else to fall back to is allowed"
    case .notPushing: "the app pushes no frames"
    }
  }
}

extension ClientResponse {
  /// Creates a response.
  ///
  /// - Parameters:
  ///   - result: the vendor's name of the result, `ok` if it has none.
  ///   - reason: text that follows the result after a colon.
  package init(
    _ result: CallResult, because reason: String? = nil, _ actions: [ClientAction] = [],
    detail: String? = nil
  ) {
    self.init(reason.map { "\(result.rawValue): \($0)" } ?? result.rawValue, actions, detail: detail)
  }
}
