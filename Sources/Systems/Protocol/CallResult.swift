/// Result of a call or an action: the column `result` of `events.csv`, which may be followed by a reason (`ok: …`).
///
/// Names in camel case come from the vendors. Results of some calls alone are declared with their rules.
package struct CallResult: Hashable, Sendable {
  package let name: String
  /// Explanation as a phrase without an initial capital or a full stop.
  package let meaning: String

  package init(_ name: String, _ meaning: String) {
    self.name = name
    self.meaning = meaning
  }
}

extension CallResult {
  package static let ok = CallResult("ok", "done; a reason follows where it has no or less effect")
  package static let notInMeeting = CallResult("notInMeeting", "the participant is not in the meeting")
  package static let noView = CallResult("noView", "the participant has no view")
  package static let unchanged = CallResult("unchanged", "it is so already")
  package static let unsupported = CallResult("unsupported", "the system has no such call")
  package static let notAllowed = CallResult("not-allowed", "the client's licence has no custom layout")
  package static let noGrid = CallResult("noGrid", "only a view with 'grid' or 'container' scrolls or turns")
  package static let noSignals = CallResult("noSignals", "only a view with 'signals' takes them")
  package static let noParticipantWithId = CallResult(
    "noParticipantWithId", "that participant is not in the meeting")
  package static let noStreamForParticipantId = CallResult(
    "noStreamForParticipantId", "no stream of that participant is received")
  package static let notAttached = CallResult(
    "notAttached", "that participant's stream is attached to no view")
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
    self.init(reason.map { "\(result.name): \($0)" } ?? result.name, actions, detail: detail)
  }

  /// Response to a call that needs a grid in a view that has none.
  package static let noGrid = ClientResponse(.noGrid, because: CallResult.noGrid.meaning)
}
