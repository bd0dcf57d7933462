import Quantity
import Systems
import Testing

@Suite("The order of speech")
struct SpeechOrderTests {
  /// Times of speech in seconds; a speech without an end lasts.
  private func order(_ speeches: [(start: Int64, end: Int64?)?], earlier: [Int] = []) -> [Int] {
    func time(_ seconds: Int64) -> SimTime { SimTime(nanoseconds: seconds * 1_000_000_000) }
    var roster = Roster(
      now: time(20), viewer: 0, isJoined: true, joinedAt: .zero,
      members: speeches.enumerated().map { number, speech in
        var member = Roster.Member(
          id: "p\(number)", isModerator: false, isJoined: true, joinedAt: .zero,
          isSpeaking: speech.map { $0.end == nil } ?? false, lastSpokeAt: (speech?.start).map(time),
          camera: nil, screen: nil)
        member.silentSince = (speech?.end).flatMap { $0 }.map(time)
        return member
      }, moderators: [], sources: [], receptions: [])
    roster.earlierSpeakers = earlier
    return roster.speechOrder
  }

  /// Who speaks since 3 s comes before the one who spoke from 6 to 8 s; who was silent last, at 9 s, is the second.
  @Test func whoSpeaksNowComesFirstAndThenTheEndsOfSpeechCount() {
    #expect(order([(3, nil), (6, 8), (4, 5), (1, 9)]) == [0, 3, 1, 2])
  }

  /// Of two who speak, the one who began last; who has not spoken follows as in `speech-order`.
  @Test func ofTwoWhoSpeakTheLaterComesFirst() {
    #expect(order([nil, (3, nil), (5, nil), nil], earlier: [3, 1]) == [2, 1, 3])
  }
}
