package import Endpoint
package import Quantity
package import Systems

/// Knowledge of a viewer's client.
package struct ViewerKnowledge {
  /// Number of SFU announcements that have reached the client; `nil` outside the meeting.
  package var position: Int?
  /// Set while the viewer is in the meeting.
  package var isJoined = false
  /// Time at which the viewer joined.
  package var joinedAt = SimTime.zero
  /// Receptions by source.
  package var receptions: [Roster.Reception]
  /// Flags, by source, set if in the client's last request, whether or not the SFU knows.
  package var isSubscribed: [Bool]

  init(sources: Int) {
    isSubscribed = Array(repeating: false, count: sources)
    receptions = Array(
      repeating: Roster.Reception(isGiven: false, picture: nil, limitation: nil, tile: nil), count: sources)
  }

  /// Notes the viewer's own presence, which it knows immediately.
  package mutating func noteOwn(_ presence: Directory.Presence) {
    isJoined = presence.isJoined
    joinedAt = presence.joinedAt
  }

  /// Clears the knowledge of the meeting.
  mutating func clear() {
    position = nil
    for source in receptions.indices {
      receptions[source].limitation = nil
      isSubscribed[source] = false
    }
  }
}
