import Allocation
package import Quantity

/// Assignment of participants to the entries of a stream request.
package enum RequestAssignment {
  /// Returns the participant of each entry, as named; slots are filled with recent speakers, highest priority first.
  /// `nil` for an unassigned entry.
  package static func participants(
    for request: [StreamRequest], _ roster: Roster, slots: SpeakerSlots, recentSpeakers window: SimDuration
  ) -> [Int?] {
    var assigned = named(in: request, roster)
    var free = slots.next(for: request, roster, recentSpeakers: window)[...]
    for priority in [Priority.high, .medium, .low, nil] {
      for place in request.indices
      where request[place].subject == .slot && request[place].priority == priority {
        assigned[place] = free.popFirst()
      }
    }
    return assigned
  }

  /// Returns the participant that each entry names; `nil` for a slot, or if that participant is not there.
  static func named(in request: [StreamRequest], _ roster: Roster) -> [Int?] {
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
    return assigned
  }
}
