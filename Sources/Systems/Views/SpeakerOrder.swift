package import Quantity

/// Properties of a participant that determine the speaker order.
package struct SpeakerCandidate: Hashable, Sendable {
  package var participant: Int
  /// Set if the viewer already receives video.
  package var hasStream: Bool
  package var isSendingVideo: Bool
  /// `nil` for a participant who has not spoken.
  package var recency: SpeechRecency?
  package var joinedAt: SimTime

  package init(
    participant: Int, hasStream: Bool = false, isSendingVideo: Bool, recency: SpeechRecency?,
    joinedAt: SimTime
  ) {
    self.participant = participant
    self.hasStream = hasStream
    self.isSendingVideo = isSendingVideo
    self.recency = recency
    self.joinedAt = joinedAt
  }
}

/// BlueJeans' order of recent speakers (web SDK, `ClientControlledLayoutOrderingStore`).
package enum SpeakerOrder {
  /// Sorts candidates in the order in which they fill slots: those who spoke within `window`, most recent first; then
  /// by existing stream, sending video, last speech, join time and index.
  package static func sorted(
    _ candidates: [SpeakerCandidate], now: SimTime, window: SimDuration
  ) -> [SpeakerCandidate] {
    candidates.sorted { a, b in
      let aIsRecent = a.recency?.isWithin(window, at: now) ?? false
      let bIsRecent = b.recency?.isWithin(window, at: now) ?? false
      if aIsRecent != bIsRecent { return aIsRecent }
      if aIsRecent, let one = a.recency, let other = b.recency, one != other { return one > other }
      if a.hasStream != b.hasStream { return a.hasStream }
      if a.isSendingVideo != b.isSendingVideo { return a.isSendingVideo }
      if a.recency != b.recency {
        guard let one = a.recency, let other = b.recency else { return a.recency != nil }
        return one > other
      }
      if a.joinedAt != b.joinedAt { return a.joinedAt < b.joinedAt }
      return a.participant < b.participant
    }
  }
}

extension SpeakerOrder {
  /// Returns participants, by index, in the order in which they fill slots. Those who spoke before the meeting count as
  /// having spoken right before it started [our model].
  package static func sorted(
    _ remotes: [Int], _ roster: Roster, window: SimDuration, hasStream: (Int) -> Bool = { _ in false }
  ) -> [Int] {
    let candidates = remotes.map { remote in
      let member = roster.members[remote]
      let earlier = roster.earlierSpeakers.firstIndex(of: remote)
        .map { SpeechRecency(silentSince: SimTime(nanoseconds: -1 - Int64($0))) }
      return SpeakerCandidate(
        participant: remote, hasStream: hasStream(remote), isSendingVideo: roster.isCapturing(remote),
        recency: SpeechRecency(member) ?? earlier, joinedAt: member.joinedAt)
    }
    return sorted(candidates, now: roster.now, window: window).map(\.participant)
  }
}
