import Allocation
import CongestionControl
import Endpoint
import Ladder
import Plan
import Quantity
import Serving
import Systems
import TestSupport
import Testing

private let v = ServingBench.v
private let w = ServingBench.w

@Suite("SFU decisions and their effect")
struct ServingAllocationTests {
  /// Decides on a viewer's only subscription within a budget, and applies the decision.
  private func decide(
    _ bench: inout ServingBench, _ viewer: Int = v, within kilobits: Int64, _ size: Resolution = .p720,
    at time: Int64 = 0
  ) -> Grant? {
    let wish = bench.wish(size)
    bench.sfu.allocator.budgets[viewer].downlink = VideoBudget(estimate: .kilobits(kilobits))
    bench.sfu.allocator.beginAllocation(of: viewer, at: .ms(time))
    let grants = bench.sfu.allocator.allocate([wish], to: viewer)
    guard let grant = grants.first else { return nil }
    _ = bench.sfu.allocator.grant(grant, to: wish, viewer: viewer)
    return grant
  }

  private func isDue(_ bench: inout ServingBench, _ kilobits: Int64, at time: Int64) -> Bool {
    bench.sfu.allocator.budgets[v].downlink = VideoBudget(estimate: .kilobits(kilobits))
    return bench.sfu.allocator.budgets[v].isDue(by: bench.sfu.allocator.reallocation, at: .ms(time))
  }

  /// Falls count at once; rises after a second and beyond 5 %.
  @Test func aBudgetThatChangesCallsForAReallocation() throws {
    var bench = try ServingBench()
    #expect(!isDue(&bench, 1000, at: 0))
    // The base layer of c takes 800 kbps; two layers take 1200, which exceeds the budget by 200.
    let grant = decide(&bench, within: 1000, at: 100)
    #expect(grant?.layer?.id == LayerID(encoding: 2, temporal: 0))
    #expect(grant?.missing == .kilobits(200))
    // The streams take 800 kbps: anything less is a fall.
    #expect(!isDue(&bench, 800, at: 101) && isDue(&bench, 799, at: 101))
    #expect(!isDue(&bench, 5000, at: 1099))
    #expect(!isDue(&bench, 1050, at: 1100) && isDue(&bench, 1051, at: 1100))
  }

  @Test func aPictureThatIsNotShownAtAllNeedsNoFurtherRise() throws {
    var bench = try ServingBench()
    // The lowest layer takes 40 kbps.
    let grant = decide(&bench, within: 39)
    #expect(grant?.layer == nil && grant?.missing == .kilobits(1))
    // One more kilobit is less than 5 %, but it is all that is missing.
    #expect(isDue(&bench, 40, at: 1000) && !isDue(&bench, 40, at: 999))
  }

  @Test func paddingReachesForTheNextStepWithinTheFullRate() throws {
    var bench = try ServingBench()
    _ = decide(&bench, within: 1000)
    // 800 kbps are granted; the goal is 1000 plus the missing 200; headers take 10 %, and 5 % is headroom.
    let demand = bench.sfu.allocator.demand(of: v, voices: .kilobits(50), headerShare: 0.1)
    #expect(demand.maximumPadding == BitRate(bitsPerSecond: 1_386_000 + 50_000))
    #expect(demand.taken == .kilobits(880 + 50))
    #expect(demand.maximumAllocated == .kilobits(2200 + 50))
    #expect(demand.minimumAllocated == .kilobits(50))
    #expect(!demand.isBeyondTarget && !demand.probesPeriodically)
    // Complete: nothing is missing, and nothing is padded.
    _ = decide(&bench, within: 2000)
    let full = bench.sfu.allocator.demand(of: v, voices: .zero, headerShare: 0.1)
    #expect(full.maximumPadding == .zero)
  }

  @Test func theClientsCapIsWithinTheBudget() throws {
    // Headers and the encoders' rate variation leave 600 of 726 kbps.
    var bench = try ServingBench { $0.participants[v].capabilities.receiveCap = RateLimit(.kilobits(726)) }
    // The lowest layer of c takes 800 kbps; b takes 500.
    let grant = decide(&bench, within: 1000)
    #expect(grant?.layer?.id == LayerID(encoding: 1, temporal: 2))
    let budget = bench.sfu.allocator.budgets[v]
    #expect(budget.allowance == RateLimit(.kilobits(600)) && budget.acted == RateLimit(.kilobits(1000)))
    #expect(budget.given == .kilobits(500))
    let spendable = bench.sfu.allocator.spendable(by: v)
    #expect(spendable == RateLimit(.kilobits(600)))
    // A new connection remembers nothing of the last one.
    bench.sfu.allocator.open(v)
    #expect(bench.sfu.allocator.budgets[v].given == .zero && bench.sfu.allocator.budgets[v].acted == nil)
  }

  private func demand(forwarded: UInt32, desired: UInt32, settled: UInt32) -> EncodingDemand {
    EncodingDemand(
      forwarded: EncodingSet(rawValue: forwarded), desired: EncodingSet(rawValue: desired),
      settled: EncodingSet(rawValue: settled))
  }

  @Test func theDemandIsWhatIsForwardedAwaitedAndDesired() throws {
    var bench = try ServingBench()
    #expect(bench.sfu.takeDemand(of: 0, at: .zero) == nil)
    // v requests c and is granted b; w's screen needs no more than a, for which it settles.
    _ = decide(&bench, v, within: 500)
    _ = decide(&bench, w, within: 500, .p180)
    bench.decide(v, 1)
    #expect(
      bench.sfu.takeDemand(of: 0, at: .zero)
        == demand(forwarded: 0b010, desired: 0b101, settled: 0b011))
    #expect(bench.sfu.takeDemand(of: 0, at: .zero) == nil)
    bench.decide(w, 0)
    #expect(
      bench.sfu.takeDemand(of: 0, at: .zero)
        == demand(forwarded: 0b011, desired: 0b101, settled: 0b011))
    // v leaves: nobody requests more than a.
    bench.decide(v, -1)
    bench.sfu.allocator.leave(v)
    #expect(
      bench.sfu.takeDemand(of: 0, at: .zero)
        == demand(forwarded: 0b001, desired: 0b001, settled: 0b001))
    // A publisher that has rejoined knows nothing.
    bench.sfu.demands.forget(0)
    #expect(bench.sfu.takeDemand(of: 0, at: .zero)?.forwarded == EncodingSet(0))
  }

  @Test func aRequestIsCompletedByTheSFUsOwnKnowledge() throws {
    var bench = try ServingBench()
    #expect(bench.sfu.takeRequest(of: v, at: .zero) == nil)
    var stale = bench.wish()
    stale.offers = []
    bench.sfu.participants[v].request = SubscriptionRequest(wishes: [stale], demand: ViewerDemand())
    #expect(bench.sfu.takeRequest(of: v, at: .zero)?.wishes.first?.offers.count == 9)
    var source = bench.sfu.directory.sources[0]
    source.isCapturing = false
    source.offers = Array(bench.layers.prefix(3))
    bench.sfu.directory.set(source, at: 0)
    let request = bench.sfu.takeRequest(of: v, at: .zero)
    let completed = try #require(request?.wishes.first)
    #expect(completed.offers.map(\.id.encoding) == [0, 0, 0] && completed.absence == .muted)
  }
}
