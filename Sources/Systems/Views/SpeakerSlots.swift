import Quantity

/// Participants in the slots of a stream request, which follow the speakers.
///
/// Whoever starts to speak takes the first slot and moves the others down; once its holder is silent, the slot goes
/// back to whoever still speaks. While nobody speaks, everybody keeps their slot, and a free slot goes to the next in
/// the order of speakers; nobody gives way to a participant whose camera comes on. A speaker whom a new request no longer
/// names goes before those who spoke less recently [our model; BlueJeans documents that
/// slots show the current speaker first and the most recent ones next].
package struct SpeakerSlots: Sendable {
  /// Participants in the slots, the first slot first.
  private var holders: [Int] = []
  /// Start of the last speech that the slots have followed, by participant.
  private var followed: [SimTime?] = []
  /// Participants whom the last request named, so that their speech moved nobody.
  private var named: [Int] = []

  /// Returns the participants in a request's slots from now on.
  func next(for request: [StreamRequest], _ roster: Roster, recentSpeakers window: SimDuration) -> [Int] {
    let named = RequestAssignment.named(in: request, roster)
    let order = SpeakerOrder.sorted(
      roster.othersWithCamera.filter { !named.contains($0) && roster.isCapturing($0) }, roster, window: window
    )
    var speakers = order.filter { hasBegun($0, roster) }
    if speakers.isEmpty, let first = holders.first, !roster.members[first].isSpeaking {
      speakers = order.prefix(1).filter { roster.members[$0].isSpeaking }
    }
    var staying = holders.filter { order.contains($0) && !speakers.contains($0) }
    for (rank, released) in order.enumerated()
    where self.named.contains(released) && !speakers.contains(released)
      && roster.members[released].lastSpokeAt != nil
    {
      let isAhead = { (other: Int) in order[..<rank].contains(other) }
      staying.insert(released, at: staying.firstIndex { !isAhead($0) } ?? staying.endIndex)
    }
    let rest = order.filter { !speakers.contains($0) && !staying.contains($0) }
    return Array((speakers + staying + rest).prefix(request.count { $0.subject == .slot }))
  }

  /// Reassigns the slots.
  mutating func update(for request: [StreamRequest], _ roster: Roster, recentSpeakers window: SimDuration) {
    holders = next(for: request, roster, recentSpeakers: window)
    named = RequestAssignment.named(in: request, roster).compactMap { $0 }
    followed = roster.members.map(\.lastSpokeAt)
  }

  /// Checks whether a participant has started to speak since the last update, or is speaking without a slot.
  private func hasBegun(_ participant: Int, _ roster: Roster) -> Bool {
    let member = roster.members[participant]
    guard let start = member.lastSpokeAt, participant < followed.count else { return false }
    return followed[participant] != start || member.isSpeaking && !holders.contains(participant)
  }
}
