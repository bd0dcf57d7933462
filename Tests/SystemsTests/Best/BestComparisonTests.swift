import Allocation
import Ladder
import Parameters
import Quantity
import Systems
import TestSupport
import Testing

@Suite("The optimum beside other policies")
struct BestComparisonTests {
  /// At what a policy spends, or the budget if that is more, over the same layers.
  @Test(arguments: Registry<RegisteredSystem>.systems.entries.map(\.name))
  func noPolicyIsAboveItAndItIsNotAboveTheHull(name: String) throws {
    let entries = Registry<RegisteredSystem>.systems.entries
    let policy = try #require(entries.first { $0.name == name }).system().policy
    var numbers = SplitMix(seed: 11)
    let sizes = [Resolution.p90, .p180, BestRuleTests.thumbnail, .p360, .p720]
    for _ in 0..<500 {
      let wishes = (0..<Int(numbers.within(1...6))).map { source in
        let tile = sizes[Int(numbers.within(0...4))]
        let layers = Array(BestRuleTests.layers.dropLast(Int(numbers.within(0...2))))
        var wish = Wish(
          source: source,
          requested: VideoFormat(tile, framesPerSecond: [7, 15, 30][Int(numbers.within(0...2))]),
          priority: [.high, .medium, .low][Int(numbers.within(0...2))], offers: layers,
          ladder: BestRuleTests.layers, tile: tile)
        wish.weight = [1, 1, 4][Int(numbers.within(0...2))]
        return wish
      }
      let budget: Int64 = numbers.within(0...6_000_000)
      let grants = policy.allocate(budget: BitRate(bitsPerSecond: budget), wishes: wishes)
      // A policy may name a layer that the source lacks at present: then nothing comes.
      var spent: Int64 = 0
      var utility: Int64 = 0
      let options = wishes.map { $0.options(of: $0.offers, staysWithinRequest: false) }
      for (place, grant) in grants.enumerated() {
        guard let granted = wishes[place].offers.firstIndex(where: { $0.id == grant.layer?.id }) else {
          continue
        }
        spent += options[place][granted].rate
        utility += options[place][granted].utility
      }
      let problem = AllocationProblem(options)
      let best = problem.optimum(within: max(budget, spent))
      #expect(utility <= best.utility)
      #expect(best.utility <= problem.hullUtility(within: max(budget, spent)))
    }
  }
}
