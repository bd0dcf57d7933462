import Quantity
import Systems

/// What one end knows of everybody: people and sources, as their last messages have it.
struct Directory {
  /// What changes of a participant.
  struct Presence: BitwiseCopyable {
    var isJoined: Bool
    /// How often it has joined, which tells one stay from the next.
    var stay = 0
    var joinedAt: SimTime
    var isSpeaking: Bool
    /// When the current or last turn of speech began; `nil` for one who has not spoken.
    var lastSpokeAt: SimTime?
    /// Whether its microphone can be heard.
    var isHeard: Bool
  }

  private(set) var members: [Roster.Member]
  private(set) var isHeard: [Bool]
  private var stays: [Int]
  private(set) var sources: [Roster.Source]
  /// Participants with the role of a moderator, whether they have joined or not.
  let moderators: [Int]
  private(set) var joinedCount = 0

  /// Nobody has joined, nothing is sent.
  init(members: [Roster.Member], sources: [Roster.Source]) {
    self.members = members
    isHeard = members.map { _ in false }
    stays = members.map { _ in 0 }
    self.sources = sources
    moderators = members.indices.filter { members[$0].isModerator }
  }

  /// What is known of a participant.
  func presence(of number: Int) -> Presence {
    let member = members[number]
    return Presence(
      isJoined: member.isJoined, stay: stays[number], joinedAt: member.joinedAt,
      isSpeaking: member.isSpeaking,
      lastSpokeAt: member.lastSpokeAt, isHeard: isHeard[number])
  }

  mutating func set(_ presence: Presence, of number: Int) {
    if presence.isJoined != members[number].isJoined { joinedCount += presence.isJoined ? 1 : -1 }
    members[number].isJoined = presence.isJoined
    members[number].joinedAt = presence.joinedAt
    members[number].isSpeaking = presence.isSpeaking
    members[number].lastSpokeAt = presence.lastSpokeAt
    isHeard[number] = presence.isHeard
    stays[number] = presence.stay
  }

  mutating func set(_ source: Roster.Source, at number: Int) { sources[number] = source }

  /// Whether a participant's voice is heard now.
  func speaks(_ number: Int) -> Bool { isHeard[number] && members[number].isSpeaking }
}
