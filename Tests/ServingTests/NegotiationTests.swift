import Endpoint
import Quantity
import Serving
import SimulationKernel
import Systems
import TestSupport
import Testing

private let v = ServingBench.v

@Suite("The SFU's state machines beside the forwarding")
struct NegotiationTests {
  private func negotiations() throws -> Negotiations {
    var system = PlainSystem()
    system.negotiation = NegotiationRules(
      initialTracks: 2, joinTime: .milliseconds(100), connectionTime: .milliseconds(50),
      interval: .milliseconds(200), offerTime: .milliseconds(30))
    let bench = try ServingBench(system)
    return bench.sfu.negotiations
  }

  @Test func theFirstAnswerHasRoomForAFewTracks() throws {
    var negotiations = try negotiations()
    #expect(negotiations.open(v, at: .ms(1000)) == .ms(1100))
    negotiations.request([7, 3, 5], by: v)
    #expect(negotiations.takeStep(v, at: .ms(1099)) == .wait(.ms(1100)))
    #expect(negotiations.takeStep(v, at: .ms(1100)) == .answer([7, 3]))
    #expect(negotiations.trackCount(of: v) == 2)
    // Agreed, but nothing may be forwarded before the connection is set up.
    #expect(negotiations.connect(v, at: .ms(1120)) == .ms(1170))
    #expect(!negotiations.hasAgreed(v, on: 7, at: .ms(1169)))
    #expect(negotiations.isPending(v, 7, at: .ms(1169)))
    #expect(negotiations.hasAgreed(v, on: 7, at: .ms(1170)))
    #expect(!negotiations.isPending(v, 7, at: .ms(1170)))
    #expect(!negotiations.hasAgreed(v, on: 5, at: .ms(1170)))
    // Candidates that arrive again do not begin another handshake.
    #expect(negotiations.connect(v, at: .ms(1500)) == .ms(1170))
  }

  @Test func furtherTracksShareOneOfferPerInterval() throws {
    var negotiations = try negotiations()
    _ = negotiations.open(v, at: .zero)
    #expect(negotiations.takeStep(v, at: .ms(100)) == .answer([]))
    negotiations.request([4], by: v)
    #expect(negotiations.takeStep(v, at: .ms(299)) == .wait(.ms(300)))
    // A source that is requested while another waits joins it; one that waits already does not wait twice.
    negotiations.request([2, 4], by: v)
    #expect(negotiations.takeStep(v, at: .ms(300)) == .requestOffer)
    #expect(negotiations.offeredCount(of: v) == 2 && negotiations.trackCount(of: v) == 0)
    // During a negotiation nothing else begins, however late it is.
    negotiations.request([1], by: v)
    #expect(negotiations.takeStep(v, at: .ms(900)) == .nothing)
    #expect(negotiations.takeOffer(by: v) == [4, 2])
    #expect(negotiations.takeStep(v, at: .ms(900)) == .requestOffer)
    #expect(negotiations.takeOffer(by: v) == [1])
    #expect(negotiations.takeStep(v, at: .ms(2000)) == .nothing)
  }

  @Test func aTrackThatWasGivenUpIsNegotiatedAgain() throws {
    var negotiations = try negotiations()
    _ = negotiations.open(v, at: .zero)
    negotiations.request([4], by: v)
    _ = negotiations.takeStep(v, at: .ms(100))
    negotiations.request([4], by: v)
    #expect(negotiations.takeStep(v, at: .ms(900)) == .nothing)
    negotiations.forget(4, of: v)
    negotiations.request([4], by: v)
    #expect(negotiations.takeStep(v, at: .ms(900)) == .requestOffer)
    // Whoever leaves begins from nothing.
    negotiations.close(v)
    #expect(negotiations.takeStep(v, at: .ms(1000)) == .nothing)
    #expect(negotiations.offeredCount(of: v) == 0)
  }

  @Test func aReallocationReplacesOneOfTheSameCause() throws {
    var bench = try ServingBench()
    var reallocations = bench.sfu.reallocations
    for (cause, time) in [
      (.rampUp(source: 0), 100), (.rampUp(source: 0), 300), (.rampUp(source: 0), 300),
      (.rampUp(source: 1), 200), (.negotiation, 200),
    ] as [(PendingReallocations.Cause, Int64)] {
      reallocations.schedule(v, for: cause, at: .ms(time), kernel: &bench.kernel)
    }
    var times: [Int64] = []
    var taken: [Int64] = []
    while let event = bench.wires.next(until: .ms(1000), &bench.kernel) {
      #expect(event == MeetingEvent(.reallocate, v))
      let now = bench.kernel.now
      times.append(now.nanoseconds / 1_000_000)
      if reallocations.take(v, at: now) { taken.append(now.nanoseconds / 1_000_000) }
    }
    // An event for every time that was set, once; that of 100 ms is void, and the first at 200 ms is for both.
    #expect(times == [100, 200, 200, 300])
    #expect(taken == [200, 300])
  }

  /// Levels: the number of encodings up to the highest wanted one. They fall 400 ms after the last change, but not in
  /// the first second.
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
      // A higher level counts at once, also without the encodings below; a lower one after 400 ms.
      (2000, 0b100), (2100, 0b001), (2499, 0b001), (2500, 0b001),
      // A change between lower levels begins the wait again.
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
    // 400 ms after the change are later than the end of the first second.
    #expect(pauses.takeDueTime(of: 0) == .ms(1200))
    _ = pauses.requested(of: 0, wanted: 0b111, at: .ms(900))
    #expect(pauses.takeDueTime(of: 0) == nil)
    pauses.end(0)
    #expect(pauses.requested(of: 0, wanted: 0b001, at: .ms(901)) == 0b001)
  }
}
