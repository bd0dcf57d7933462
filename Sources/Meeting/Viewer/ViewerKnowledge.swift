import Quantity
import Systems

/// What a viewer's client has learned.
struct ViewerKnowledge {
  /// How many of the SFU's announcements it has been told; `nil` outside the meeting.
  var position: Int?
  /// Whether it is in the meeting itself, and since when.
  var isJoined = false
  var joinedAt = SimTime.zero
  /// By source.
  var receptions: [Roster.Reception]

  init(sources: Int) {
    receptions = Array(
      repeating: Roster.Reception(isGiven: false, picture: nil, limitation: nil, tile: nil), count: sources)
  }

  /// Forgets the meeting.
  mutating func clear() {
    position = nil
    for source in receptions.indices { receptions[source].limitation = nil }
  }
}
