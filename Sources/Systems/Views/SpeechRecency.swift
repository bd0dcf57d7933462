package import Quantity

/// Time of a participant's current or last speech, by which speakers are ordered: those who speak now are the most
/// recent, by the start of their speech; the others follow by its end.
package struct SpeechRecency: Comparable, Hashable, Sendable {
  private let isSpeaking: Bool
  private let time: SimTime

  package init(speakingSince start: SimTime) {
    isSpeaking = true
    time = start
  }

  package init(silentSince end: SimTime) {
    isSpeaking = false
    time = end
  }

  /// Reads a member's speech; `nil` for one who has not spoken.
  package init?(_ member: Roster.Member) {
    guard let start = member.lastSpokeAt else { return nil }
    isSpeaking = member.isSpeaking
    time = member.isSpeaking ? start : member.silentSince ?? start
  }

  package static func < (a: SpeechRecency, b: SpeechRecency) -> Bool {
    a.isSpeaking == b.isSpeaking ? a.time < b.time : b.isSpeaking
  }

  /// Checks whether the participant speaks now, or has within a time.
  func isWithin(_ window: SimDuration, at now: SimTime) -> Bool { isSpeaking || now - time <= window }
}
