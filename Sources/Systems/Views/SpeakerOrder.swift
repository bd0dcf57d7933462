package import Quantity

/// Properties of a participant that determine the speaker order.
package struct SpeakerCandidate: Hashable, Sendable {
  package var participant: Int
  /// Set if the viewer already receives video.
  package var hasStream: Bool
  package var isSendingVideo: Bool
  package var isSpeaking: Bool
  /// Start of the current or last speech; `nil` for a participant who has not spoken.
  package var lastSpokeAt: SimTime?
  package var joinedAt: SimTime

  package init(
    participant: Int, hasStream: Bool = false, isSendingVideo: Bool, isSpeaking: Bool, lastSpokeAt: SimTime?,
    joinedAt: SimTime
  ) {
    self.participant = participant
    self.hasStream = hasStream
    self.isSendingVideo = isSendingVideo
    self.isSpeaking = isSpeaking
    self.lastSpokeAt = lastSpokeAt
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
      let aRecent = recency(a, now, window)
      let bRecent = recency(b, now, window)
      if (aRecent != nil) != (bRecent != nil) { return aRecent != nil }
      if let aRecent, let bRecent, aRecent != bRecent { return aRecent > bRecent }
      if a.hasStream != b.hasStream { return a.hasStream }
      if a.isSendingVideo != b.isSendingVideo { return a.isSendingVideo }
      let aSpoke = a.lastSpokeAt?.nanoseconds ?? .min
      let bSpoke = b.lastSpokeAt?.nanoseconds ?? .min
      if aSpoke != bSpoke { return aSpoke > bSpoke }
      if a.joinedAt != b.joinedAt { return a.joinedAt < b.joinedAt }
      return a.participant < b.participant
    }
  }

  /// Returns the start of a recent speaker's last speech; `nil` if it is outside the window.
  private static func recency(_ candidate: SpeakerCandidate, _ now: SimTime, _ window: SimDuration)
    -> SimTime?
  {
    guard let spoke = candidate.lastSpokeAt, candidate.isSpeaking || now - spoke <= window else { return nil }
    return spoke
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
        .map { SimTime(nanoseconds: -1 - Int64($0)) }
      return SpeakerCandidate(
        participant: remote, hasStream: hasStream(remote), isSendingVideo: roster.isCapturing(remote),
        isSpeaking: member.isSpeaking, lastSpokeAt: member.lastSpokeAt ?? earlier, joinedAt: member.joinedAt)
    }
    return sorted(candidates, now: roster.now, window: window).map(\.participant)
  }
}
