import Quantity
import Serving
import Systems
import TestSupport
import Testing

@Suite("Pausing of unrequested encodings")
struct EncodingPauseTests {
  /// A level is the number of encodings up to the highest requested one. Levels fall 400 ms after the last change, but
  /// not during the first second.
  @Test func encodingsPauseWhenTheirLevelHasNotChangedForAWhile() throws {
    var system = PlainSystem()
    system.pauses = EncodingPauseRule(delay: .milliseconds(400), start: .seconds(1))
    let bench = try ServingBench(system)
    let own = bench.sfu.pauses
    var pauses = try #require(own)
    pauses.begin(0, encodings: 3, at: .ms(500))
    var levels: [Int] = []
    for (time, wanted) in [
      // All are requested until 1500 ms, whatever is wanted.
      (500, 0), (600, 0b010), (1499, 0b010), (1500, 0b010),
      // A higher level counts at once, even without the encodings below it; a lower one after 400 ms.
      (2000, 0b100), (2100, 0b001), (2499, 0b001), (2500, 0b001),
      // A change between lower levels restarts the wait.
      (3000, 0b100), (3100, 0b010), (3400, 0b001), (3500, 0b001), (3799, 0b001), (3800, 0b001),
    ] as [(Int64, UInt32)] {
      let mask = pauses.requested(of: 0, wanted: wanted, at: .ms(time))
      levels.append(mask.nonzeroBitCount)
      #expect(mask == (1 << UInt32(mask.nonzeroBitCount)) - 1)
    }
    #expect(levels == [3, 3, 3, 2, 3, 3, 3, 1, 3, 3, 3, 3, 3, 1])
  }

  @Test func thePauseIsReportedOnce() throws {
    var system = PlainSystem()
    system.pauses = EncodingPauseRule(delay: .milliseconds(400), start: .seconds(1))
    let bench = try ServingBench(system)
    let own = bench.sfu.pauses
    var pauses = try #require(own)
    pauses.begin(0, encodings: 3, at: .zero)
    #expect(pauses.takeDueTime(of: 0) == .ms(1000))
    #expect(pauses.takeDueTime(of: 0) == nil)
    _ = pauses.requested(of: 0, wanted: 0b001, at: .ms(800))
    // 400 ms after the change is later than the end of the first second.
    #expect(pauses.takeDueTime(of: 0) == .ms(1200))
    _ = pauses.requested(of: 0, wanted: 0b111, at: .ms(900))
    #expect(pauses.takeDueTime(of: 0) == nil)
    pauses.end(0)
    #expect(pauses.requested(of: 0, wanted: 0b001, at: .ms(901)) == 0b001)
  }
}
