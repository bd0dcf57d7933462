import Quantity
import Systems

/// Knowledge of a viewer's client.
struct ViewerKnowledge {
  /// Number of SFU announcements that have reached the client; `nil` outside the meeting.
  package var position: Int?
  /// Set while the viewer is in the meeting.
  package var isJoined = false
  /// Time at which the viewer joined.
  package var joinedAt = SimTime.zero
  /// Receptions by source.
  package var receptions: [Roster.Reception]
  /// Flags, by source, set if in the client's last request.
  var isSubscribed: [Bool]

  init(sources: Int) {
    isSubscribed = Array(repeating: false, count: sources)
    receptions = Array(
      repeating: Roster.Reception(isGiven: false, picture: nil, limitation: nil, tile: nil), count: sources)
  }

  /// Clears the knowledge of the meeting.
  package mutating func clear() {
    position = nil
    for source in receptions.indices {
      receptions[source].limitation = nil
      isSubscribed[source] = false
    }
  }
}
