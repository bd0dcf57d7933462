import Ladder
import Quantity
import Serving
import Systems
import TestSupport
import Testing

@Suite("Pausing of unrequested encodings")
struct EncodingPauseTests {
  private func pauses() -> EncodingPauses {
    var pauses = EncodingPauses(
      EncodingPauseRule(delay: .milliseconds(400), start: .seconds(1)), sources: 1)
    pauses.begin(0, encodings: 3, at: .ms(500))
    return pauses
  }

  private func levels(_ wishes: [(time: Int64, wanted: UInt32)]) throws -> [Int] {
    var pauses = pauses()
    return wishes.map { time, wanted in
      let level = pauses.requested(of: 0, wanted: EncodingSet(rawValue: wanted), at: .ms(time))
      #expect(level == EncodingSet(first: level.rawValue.nonzeroBitCount))
      return level.rawValue.nonzeroBitCount
    }
  }

  /// A level is the number of encodings up to the highest requested one. The first one counts at once, as does a higher
  /// one, even without the encodings below it; a lower one 400 ms after the first wish for less.
  @Test func theFirstAndHigherLevelsCountAtOnceAndLowerOnesLater() throws {
    #expect(
      try levels([
        (500, 0), (600, 0b010), (700, 0b100), (2000, 0b001), (2399, 0b001), (2400, 0b001), (2401, 0b110),
      ]) == [3, 2, 3, 3, 3, 1, 3])
  }

  /// Nothing moves the end of the wait but a wish for more than is requested: what is wanted then counts.
  @Test func aFurtherChangeDoesNotRestartTheWait() throws {
    #expect(
      try levels([(500, 0b100), (1000, 0b010), (1300, 0b001), (1399, 0b001), (1400, 0b001)]) == [
        3, 3, 3, 3, 1,
      ])
    #expect(
      try levels([(500, 0b100), (1000, 0b001), (1300, 0b100), (1400, 0b100), (1401, 0b001)]) == [
        3, 3, 3, 3, 3,
      ])
    #expect(
      try levels([(500, 0b100), (1000, 0b001), (1200, 0b100), (1300, 0b010), (1400, 0b010)]) == [
        3, 3, 3, 3, 2,
      ])
    #expect(
      try levels([
        (500, 0b010), (1000, 0b001), (1200, 0b100), (1300, 0b001), (1400, 0b001), (1699, 0b001),
        (1700, 0b001),
      ])
        == [2, 2, 3, 3, 3, 3, 1])
  }

  /// The first second ends at 1500 ms.
  @Test func whatNobodyWantsStopsAfterTheStart() throws {
    #expect(try levels([(500, 0), (1499, 0), (1500, 0), (1600, 0b001)]) == [3, 3, 0, 1])
    #expect(try levels([(1499, 0b001), (1500, 0b001)]) == [1, 1])
    #expect(try levels([(600, 0b001), (700, 0), (1099, 0), (1100, 0)]) == [1, 1, 1, 0])
  }

  @Test func thePauseIsReportedOnce() throws {
    var pauses = pauses()
    #expect(pauses.takeDueTime(of: 0) == .ms(1500))
    #expect(pauses.takeDueTime(of: 0) == nil)
    _ = pauses.requested(of: 0, wanted: EncodingSet(first: 2), at: .ms(800))
    #expect(pauses.takeDueTime(of: 0) == nil)
    _ = pauses.requested(of: 0, wanted: EncodingSet(first: 1), at: .ms(900))
    #expect(pauses.takeDueTime(of: 0) == .ms(1300))
    _ = pauses.requested(of: 0, wanted: [], at: .ms(1000))
    #expect(pauses.takeDueTime(of: 0) == nil)
    _ = pauses.requested(of: 0, wanted: EncodingSet(first: 3), at: .ms(1100))
    #expect(pauses.takeDueTime(of: 0) == nil)
    pauses.end(0)
    #expect(pauses.requested(of: 0, wanted: EncodingSet(0), at: .ms(1101)) == EncodingSet(0))
  }
}
