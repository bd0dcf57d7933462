package import Quantity
package import Systems

/// Knowledge of all participants at one end: people and sources, as of their last messages.
package struct Directory {
  /// Changeable state of a participant.
  package struct Presence: BitwiseCopyable {
    package var isJoined: Bool
    /// Number of times that it has joined, which distinguishes its stays.
    package var stay = 0
    package var joinedAt: SimTime
    package var isSpeaking: Bool
    /// Start of the current or last turn of speech; `nil` for one who has not spoken.
    package var lastSpokeAt: SimTime?
    /// End of the last turn of speech; `nil` while one lasts, and for one who has not spoken.
    package var silentSince: SimTime?
    /// Set while its microphone can be heard.
    package var isHeard: Bool

    package init(
      isJoined: Bool, stay: Int = 0, joinedAt: SimTime, isSpeaking: Bool, lastSpokeAt: SimTime? = nil,
      silentSince: SimTime? = nil, isHeard: Bool
    ) {
      self.isJoined = isJoined
      self.stay = stay
      self.joinedAt = joinedAt
      self.isSpeaking = isSpeaking
      self.lastSpokeAt = lastSpokeAt
      self.silentSince = silentSince
      self.isHeard = isHeard
    }
  }

  package private(set) var members: [Roster.Member]
  package private(set) var isHeard: [Bool]
  private var stays: [Int]
  package private(set) var sources: [Roster.Source]
  /// Participants with the role of a moderator, whether they have joined or not.
  package let moderators: [Int]
  package private(set) var joinedCount = 0

  /// Creates the state in which nobody has joined and nothing is sent.
  package init(members: [Roster.Member], sources: [Roster.Source]) {
    self.members = members
    isHeard = members.map { _ in false }
    stays = members.map { _ in 0 }
    self.sources = sources
    moderators = members.indices.filter { members[$0].isModerator }
  }

  /// Returns the state of a participant.
  package func presence(of number: Int) -> Presence {
    let member = members[number]
    return Presence(
      isJoined: member.isJoined, stay: stays[number], joinedAt: member.joinedAt,
      isSpeaking: member.isSpeaking,
      lastSpokeAt: member.lastSpokeAt, silentSince: member.silentSince, isHeard: isHeard[number])
  }

  package mutating func set(_ presence: Presence, of number: Int) {
    if presence.isJoined != members[number].isJoined { joinedCount += presence.isJoined ? 1 : -1 }
    members[number].isJoined = presence.isJoined
    members[number].joinedAt = presence.joinedAt
    members[number].isSpeaking = presence.isSpeaking
    members[number].lastSpokeAt = presence.lastSpokeAt
    members[number].silentSince = presence.silentSince
    isHeard[number] = presence.isHeard
    stays[number] = presence.stay
  }

  package mutating func set(_ source: Roster.Source, at number: Int) { sources[number] = source }

  /// Checks whether a participant's voice is heard now.
  package func speaks(_ number: Int) -> Bool { isHeard[number] && members[number].isSpeaking }
}
