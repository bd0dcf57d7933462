import Meeting
import Metrics
import TestSupport
import Testing

/// Turns of speech in `events.csv`.
@Suite("Speech begins and ends")
struct SpeechEventTests {
  private func speech(_ text: String) throws -> [String] {
    try Meetings.run(Meetings.scenario(text)).tables.rows(of: .events)
      .filter { $0["event"].hasPrefix("speech-") }
      .map { "\($0["time_s"]) \($0["participant"]) \($0["event"])" }
  }

  /// a speaks for 4 s, is silent while muted, and starts again before the first turn is over; b leaves while speaking.
  @Test func asTheTimelineSaysAndAsFarAsOneIsHeard() throws {
    let events = try speech(
      """
      name: speech
      duration: 10s
      participants:
        - {id: a, publish: {camera: 180p15}}
        - {id: b, publish: {camera: 180p15}}
        - {id: me, view: {everybody: 320x180}}
      timeline:
        - {at: 2s, participant: a, speaks: 4s}
        - {at: 3s, participant: a, mute: audio}
        - {at: 4s, participant: a, unmute: audio}
        - {at: 5s, participant: a, speaks: 3s}
        - {at: 6s, participant: b, speaks: 3s}
        - {at: 7s, participant: b, leave: true}
      """)
    #expect(
      events == [
        "2.000 a speech-start", "3.000 a speech-end", "4.000 a speech-start", "6.000 b speech-start",
        "7.000 b speech-end", "8.000 a speech-end",
      ])
  }

  @Test func talkSpurtsAreTurnsOfSpeech() throws {
    let events = try speech(
      """
      name: talk
      duration: 20s
      speech: talk-spurts
      participants: [{id: a, publish: {camera: 180p15}}, {id: me, view: {everybody: 320x180}}]
      """)
    #expect(events.count > 5)
    let turns = events.enumerated().map { $1.hasSuffix($0 % 2 == 0 ? "speech-start" : "speech-end") }
    #expect(turns.allSatisfy { $0 }, "\(events)")
  }
}
