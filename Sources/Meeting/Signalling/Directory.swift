import Systems

/// What one end knows of everybody: people and sources, as their last messages have it.
struct Directory {
  /// A participant as others know it.
  struct Member {
    var listing: Roster.Member
    /// Whether its microphone can be heard.
    var isHeard = false
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

  mutating func set(_ member: Member, _ number: Int) {
    members[number] = member.listing
    isHeard[number] = member.isHeard
  }

  mutating func set(_ source: Roster.Source, _ number: Int) { sources[number] = source }

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

  /// How many others could be heard by a participant.
  func voices(besides number: Int) -> Int {
    var count = 0
    for other in isHeard.indices where other != number && isHeard[other] { count += 1 }
    return count
  }
}
