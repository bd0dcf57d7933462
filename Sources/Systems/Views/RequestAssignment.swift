import Allocation
package import Quantity

/// Assigns participants to the entries of a stream request.
package enum RequestAssignment {
  /// Returns the participant of each entry, as named; slots are filled with recent speakers, highest priority first.
  /// `nil` for an unassigned entry.
  package static func participants(
    for request: [StreamRequest], _ roster: Roster, recentSpeakers window: SimDuration
  ) -> [Int?] {
    let remotes = roster.othersWithCamera
    var assigned = [Int?](repeating: nil, count: request.count)
    for (place, entry) in request.enumerated() {
      let participant: Int? =
        switch entry.subject {
        case .slot: nil
        case .moderator: roster.moderator
        case .participant(let id): remotes.first { roster.members[$0].id == id }
        }
      guard let participant, remotes.contains(participant), !assigned.contains(participant) else { continue }
      assigned[place] = participant
    }
    var free = SpeakerOrder.sorted(
      remotes.filter { !assigned.contains($0) && roster.isCapturing($0) }, roster, window: window)[...]
    for priority in [Priority.high, .medium, .low, nil] {
      for place in request.indices
      where request[place].subject == .slot && request[place].priority == priority {
        assigned[place] = free.popFirst()
      }
    }
    return assigned
  }
}

extension SpeakerOrder {
  /// Window of BlueJeans (web SDK); other systems do not document one.
  package static let defaultWindow = SimDuration.seconds(120)

  /// Returns participants, by index, in the order in which they fill slots.
  package static func sorted(
    _ remotes: [Int], _ roster: Roster, window: SimDuration, hasStream: (Int) -> Bool = { _ in false }
  ) -> [Int] {
    let candidates = remotes.map { remote in
      let member = roster.members[remote]
      return SpeakerCandidate(
        participant: remote, hasStream: hasStream(remote), isSendingVideo: roster.isCapturing(remote),
        isSpeaking: member.isSpeaking, lastSpokeAt: member.lastSpokeAt, joinedAt: member.joinedAt)
    }
    return sorted(candidates, now: roster.now, window: window).map(\.participant)
  }
}
