import Allocation
import Endpoint
import Ladder
import Plan
import Quantity
import Serving
import SimulationKernel
import Systems
import TestSupport
import Testing

private let v = ServingBench.v

@Suite("Decisions that the SFU reconsiders on its own")
struct LaterDecisionTests {
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
    while let event = bench.nextEvent(until: .ms(1000)) {
      #expect(event == MeetingEvent(.reallocate, v))
      let now = bench.kernel.now
      times.append(now.nanoseconds / 1_000_000)
      if reallocations.take(v, at: now) { taken.append(now.nanoseconds / 1_000_000) }
    }
    // One event for every time that was set; the one at 100 ms is void, and the first at 200 ms covers both.
    #expect(times == [100, 200, 200, 300])
    #expect(taken == [200, 300])
  }

  /// Ramp-ups of one second at 180p.
  @Test func aStreamRampsUpFromAFewLines() throws {
    var system = PlainSystem()
    system.traits.forwarding.rampUp = .init(time: .seconds(1), lines: 180)
    var bench = try ServingBench(system)
    let top = try #require(bench.layers.last)
    func limit(_ wish: Subscription, request: Int, at time: Int64) -> (
      end: SimTime?, layer: LayerID?, Limitation
    ) {
      var grant = Grant(source: 0, layer: top, limitation: .none)
      bench.sfu.rampUps.begin(v, request: request)
      let track = bench.streams.track(viewer: v, source: 0)
      let end = bench.sfu.rampUps.limit(&grant, of: wish, on: track, at: .ms(time))
      return (end, grant.layer?.id, grant.limitation)
    }
    let large = bench.wish()
    let small = bench.wish(.p180)
    let lowest = LayerID(encoding: 0, temporal: 2)
    #expect(limit(large, request: 1, at: 100) == (.ms(1100), lowest, .switching))
    #expect(limit(large, request: 1, at: 1099) == (.ms(1100), lowest, .switching))
    #expect(limit(large, request: 1, at: 1100) == (nil, top.id, .none))
    // The same request moves it to a smaller slot and back to a large one: it is not limited.
    #expect(limit(small, request: 1, at: 2000) == (nil, top.id, .none))
    #expect(limit(large, request: 1, at: 2100) == (nil, top.id, .none))
    // Another request that raises it above the limit restarts the ramp-up; one that finds it large does not.
    #expect(limit(small, request: 2, at: 3000) == (nil, top.id, .none))
    #expect(limit(large, request: 3, at: 3100) == (.ms(4100), lowest, .switching))
    #expect(limit(large, request: 4, at: 4100) == (nil, top.id, .none))
    // A track that ended starts as a new one.
    bench.sfu.rampUps.end(bench.streams.track(viewer: v, source: 0))
    #expect(limit(large, request: 4, at: 5000) == (.ms(6000), lowest, .switching))
  }
}
