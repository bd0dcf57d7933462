import Quantity
import Systems

/// What one end knows of everybody: people and sources, as their last messages have it.
struct Directory {
  /// What changes of a participant.
  struct Presence: BitwiseCopyable {
    var isJoined: Bool
    var joinedAt: SimTime
    var isSpeaking: Bool
    /// When the current or last turn of speech began; `nil` for one who has not spoken.
    var lastSpokeAt: SimTime?
    /// Whether its microphone can be heard.
    var isHeard: Bool
  }

  private(set) var members: [Roster.Member]
  private(set) var isHeard: [Bool]
  private(set) var sources: [Roster.Source]

  /// Nobody has joined, nothing is sent.
  init(members: [Roster.Member], sources: [Roster.Source]) {
    self.members = members
    isHeard = members.map { _ in false }
    self.sources = sources
  }

  mutating func set(_ presence: Presence, of number: Int) {
    members[number].isJoined = presence.isJoined
    members[number].joinedAt = presence.joinedAt
    members[number].isSpeaking = presence.isSpeaking
    members[number].lastSpokeAt = presence.lastSpokeAt
    isHeard[number] = presence.isHeard
  }

  mutating func set(_ source: Roster.Source, at number: Int) { sources[number] = source }

  /// Whether a participant's voice is heard now.
  func speaks(_ number: Int) -> Bool { isHeard[number] && members[number].isSpeaking }

  /// Forgets everybody and everything but the names.
  mutating func clear() {
    for number in members.indices {
      members[number].isJoined = false
      members[number].isSpeaking = false
      isHeard[number] = false
    }
    for number in sources.indices {
      sources[number].isCapturing = false
      sources[number].offers = []
    }
  }

  var joinedCount: Int { members.count { $0.isJoined } }
}
