import Allocation
import Ladder
import Parameters
import Quantity
import Systems
import TestSupport
import Testing
import Vendors

@Suite("The optimum beside other policies")
struct BestComparisonTests {
  private static let tiles = [Resolution.p90, .p180, BestRuleTests.thumbnail, .p360, .p720]
  private static let weights = [1.0, 1, 4]
  /// By tile, then by weight: utilities and rates of all layers.
  private static let options = tiles.map { tile in
    weights.map { weight in
      let wish = BestRuleTests.subscription(0, tile: tile, weight: weight).wish
      return wish.options(of: BestRuleTests.layers, staysWithinRequest: false)
    }
  }

  private struct Meeting {
    var wishes: [Subscription] = []
    var options: [[TileOption]] = []
  }

  private static func random(_ numbers: inout SplitMix) -> Meeting {
    var meeting = Meeting()
    for source in 0..<Int(numbers.within(1...6)) {
      let (tile, weight) = (Int(numbers.within(0...4)), Int(numbers.within(0...2)))
      let count = BestRuleTests.layers.count - Int(numbers.within(0...2))
      var wish = Subscription(
        source: source,
        requested: VideoFormat(tiles[tile], framesPerSecond: [7, 15, 30][Int(numbers.within(0...2))]),
        priority: [.high, .medium, .low][Int(numbers.within(0...2))],
        offers: Array(BestRuleTests.layers.prefix(count)), ladder: BestRuleTests.layers, tile: tiles[tile])
      wish.weight = weights[weight]
      wish.demand.maximumLines = tiles[tile].lines
      meeting.wishes.append(wish)
      meeting.options.append(Array(options[tile][weight].prefix(count)))
    }
    return meeting
  }

  /// By wish: the index of what is given among its offers; `nil` for nothing. A policy may name a layer that the source
  /// lacks at present: then nothing comes.
  private static func given(_ system: any System, _ budget: BitRate, _ wishes: [Subscription]) -> [Int?] {
    switch system.decider.part {
    case .controller(let control):
      // Alone in a meeting, with ample uplinks.
      let state = MeetingAllocationState(
        publishers: wishes.map { wish in
          MeetingPublisher(
            participant: wish.source, uplink: .megabits(100),
            sources: [MeetingSource(source: wish.source, levels: levels(of: wish.offers))])
        },
        viewers: [
          MeetingViewer(
            participant: wishes.count,
            allocation: AllocationState(
              budget: budget, subscriptions: wishes.map { MeasuredSubscription(wish: $0, layers: $0.offers) })
          )
        ])
      return zip(wishes, control.rule.decide(state, marginOf: nil).viewers[0]).map { wish, own in
        wish.offers.firstIndex { $0.bitrate == own.bitrate }
      }
    case .servers(let rule, _):
      let subscriptions = wishes.map { wish in
        let layers = wish.ladder.enumerated().map { index, layer in
          Layer(
            id: layer.id, format: layer.format, bitrate: index < wish.offers.count ? layer.bitrate : .zero)
        }
        return MeasuredSubscription(wish: wish, layers: layers)
      }
      let decided = rule.decide(AllocationState(budget: budget, subscriptions: subscriptions))
      return zip(wishes, decided.decisions).map { wish, own in
        wish.offers.firstIndex { $0.id == own.layer }
      }
    case .policy:
      return zip(wishes, system.policy.allocate(budget: RateLimit(budget), wishes: wishes)).map {
        wish, grant in
        wish.offers.firstIndex { $0.id == grant.layer?.id }
      }
    }
  }

  private static func levels(of layers: [Layer]) -> [QualityLevel] {
    layers.map {
      QualityLevel(
        size: $0.format.resolution, bitrate: $0.bitrate, qoe: Int($0.bitrate.bitsPerSecond / 1000))
    }
  }

  /// At the rate that a system spends, or the budget if that is higher, over the same layers.
  @Test(arguments: Registry<RegisteredSystem>.systems.entries.map(\.name))
  func noSystemIsAboveItAndItIsNotAboveTheHull(name: String) throws {
    let entries = Registry<RegisteredSystem>.systems.entries
    let system = try #require(entries.first { $0.name == name }).system()
    var numbers = SplitMix(seed: 11)
    var given = 0
    for _ in 0..<10_000 {
      let meeting = Self.random(&numbers)
      let budget: Int64 = numbers.within(0...6_000_000)
      var spent: Int64 = 0
      var utility: Int64 = 0
      for (options, index) in zip(
        meeting.options, Self.given(system, BitRate(bitsPerSecond: budget), meeting.wishes))
      {
        guard let index else { continue }
        spent += options[index].rate
        utility += options[index].utility
        given += 1
      }
      let problem = AllocationProblem(meeting.options)
      let best = problem.optimum(within: max(budget, spent))
      #expect(utility <= best.utility)
      #expect(best.utility <= problem.hullUtility(within: max(budget, spent)))
    }
    #expect(given > 10_000)
  }
}
