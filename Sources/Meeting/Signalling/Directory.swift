import Quantity
import Systems

/// Knowledge of all participants at one end: people and sources, by their last messages.
struct Directory {
  /// Changeable state of a participant.
  struct Presence: BitwiseCopyable {
    var isJoined: Bool
    /// Number of times that it has joined, which distinguishes its stays.
    var stay = 0
    var joinedAt: SimTime
    var isSpeaking: Bool
    /// Start of the current or last turn of speech; `nil` for one who has not spoken.
    var lastSpokeAt: SimTime?
    /// Set while its microphone can be heard.
    var isHeard: Bool
  }

  private(set) var members: [Roster.Member]
  private(set) var isHeard: [Bool]
  private var stays: [Int]
  private(set) var sources: [Roster.Source]
  /// Participants with the role of a moderator, whether they have joined or not.
  let moderators: [Int]
  private(set) var joinedCount = 0

  /// Creates the state in which nobody has joined and nothing is sent.
  init(members: [Roster.Member], sources: [Roster.Source]) {
    self.members = members
    isHeard = members.map { _ in false }
    stays = members.map { _ in 0 }
    self.sources = sources
    moderators = members.indices.filter { members[$0].isModerator }
  }

  /// Returns the state of a participant.
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

  /// Checks whether a participant's voice is heard now.
  func speaks(_ number: Int) -> Bool { isHeard[number] && members[number].isSpeaking }
}
