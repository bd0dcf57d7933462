/// Stages of an app's request for individual streams.
package struct RequestedStreams: Sendable {
  /// Request that the app wants to make.
  package var wanted: [StreamRequest] = []
  /// Request that the SDK last accepted, with moderators by their ids; empty for none.
  package private(set) var taken: [StreamRequest] = []
  /// Current request, with moderators by their ids; empty before the first is sent.
  package private(set) var sent: [StreamRequest] = []
  /// Reason why the SDK last refused ``wanted``; `nil` if it did not.
  package var refusal: StreamRequestFailure?
  package var slots = SpeakerSlots()

  /// Accepts a request of the app into the SDK, to be sent with the next allocation.
  ///
  /// - Parameter resolved: the request with moderators by their ids; `nil` while there is no moderator.
  mutating func take(_ entries: [StreamRequest], resolved: [StreamRequest]?) {
    wanted = entries
    taken = resolved ?? []
    refusal = nil
  }

  mutating func send() { sent = taken }

  /// Clears the request, since there is none outside the meeting; the app makes it anew in the next one.
  mutating func forget() {
    sent = []
    taken = []
    refusal = nil
    slots = SpeakerSlots()
  }
}
