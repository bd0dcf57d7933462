import Allocation
import Ladder
import Quantity
import Systems
import TestSupport
import Testing
import Vendors

@Suite("Properties of Jitsi's rule")
struct JitsiPropertyTests {
  private static let parameters = {
    var parameters = JitsiParameters()
    parameters.maximumOversend = BitRate(bitsPerSecond: 5)
    return parameters
  }()

  /// A state with up to five sources with layers of a few bits, some silent, their rates in any order.
  private static func random(_ draws: inout SplitMix) -> (asked: [Asked], lastN: Int?) {
    let lines = [0, 90, 180, 200, 360, 720]
    let asked = (0..<1 + draws.below(5)).map { _ in
      var asked = Asked()
      let choice = draws.below(lines.count + 1)
      asked.lines = choice == lines.count ? nil : lines[choice]
      asked.isScreen = draws.below(3) == 0
      if draws.below(3) == 0 {
        asked.place = draws.below(3)
        asked.isOnStage = draws.below(2) == 0
      }
      if draws.below(2) == 0 { asked.speech = draws.below(4) }
      if draws.below(8) == 0 { asked.absence = .muted }
      let count = 1 + draws.below(3)
      asked.layers = Array(testLadder.prefix(3 * count))
      for index in asked.layers.indices {
        let rate = Int64(draws.below(14) - 2)
        asked.layers[index].bitrate = BitRate(bitsPerSecond: max(0, rate))
      }
      return asked
    }
    return (asked, draws.below(3) == 0 ? draws.below(4) : nil)
  }

  private static func sum(_ outcome: AllocationOutcome, _ state: AllocationState) -> Int64 {
    zip(outcome.decisions, state.subscriptions).reduce(0) { $0 + $1.1.rate(of: $1.0.layer).bitsPerSecond }
  }

  private static func isSame(_ a: AllocationOutcome, _ b: AllocationOutcome) -> Bool {
    a.decisions.map(bare) == b.decisions.map(bare)
  }

  private static func bare(_ decision: SourceDecision) -> SourceDecision {
    var bare = decision
    bare.missing = .zero
    return bare
  }

  @Test func nothingChangesBeforeTheMargin() {
    var draws = SplitMix(seed: 1)
    var rises = 0
    for _ in 0..<10_000 {
      let (asked, lastN) = Self.random(&draws)
      let rule = JitsiRule(Self.parameters)
      var last = rule.decide(state(0, asked, lastN: lastN))
      // Counted from the last margin, this many bits may still change nothing.
      var quiet = last.margin.rise ?? .max
      for budget in Int64(1)...30 {
        let outcome = rule.decide(state(budget, asked, lastN: lastN))
        quiet -= 1
        if !Self.isSame(outcome, last) {
          #expect(quiet <= 0 && last.margin.rise == 1, "\(asked) at \(budget)")
          rises += 1
        }
        quiet = max(quiet, outcome.margin.rise ?? .max)
        last = outcome
      }
    }
    #expect(rises > 10_000)
  }

  @Test func theBudgetIsKeptButForTheFirstShareOnTheStage() {
    var draws = SplitMix(seed: 2)
    var exceeded = 0
    for _ in 0..<10_000 {
      let (asked, lastN) = Self.random(&draws)
      let budget = Int64(draws.below(40))
      let given = state(budget, asked, lastN: lastN)
      let outcome = JitsiRule(Self.parameters).decide(given)
      let excess = Self.sum(outcome, given) - budget
      guard excess > 0 else { continue }
      exceeded += 1
      let first = outcome.decisions.firstIndex { $0.rank == 1 } ?? 0
      #expect(excess <= 5)
      #expect(asked[first].isScreen && asked[first].isOnStage)
    }
    #expect(exceeded > 50)
  }

  @Test func whatIsOffGetsNothingAndCapsHold() {
    var draws = SplitMix(seed: 3)
    var capped = 0
    for _ in 0..<10_000 {
      let (asked, lastN) = Self.random(&draws)
      let given = state(Int64(draws.below(80)), asked, lastN: lastN)
      let outcome = JitsiRule(Self.parameters).decide(given)
      #expect(outcome.decisions.count { $0.layer != nil } <= lastN ?? .max)
      for (asked, decision) in zip(asked, outcome.decisions) {
        guard let layer = decision.layer else { continue }
        #expect(asked.absence == nil && asked.lines != 0)
        guard let most = asked.lines else { continue }
        let lines = asked.layers.first { $0.id == layer }?.format.resolution.lines ?? 0
        let heights = asked.layers.filter { !asked.isScreen || $0.bitrate > .zero }.map(
          \.format.resolution.lines)
        let isLowest = lines == heights.min() ?? asked.layers[0].format.resolution.lines
        #expect(lines <= most || isLowest || !asked.isScreen && most > 180 && lines < 360)
        capped += 1
      }
    }
    #expect(capped > 5_000)
  }

  @Test func theOrderOfSourcesCountsOnlyWhereTheyAreEqual() {
    var draws = SplitMix(seed: 4)
    for _ in 0..<10_000 {
      var (asked, lastN) = Self.random(&draws)
      // Distinct speech ranks leave no ties except among those put first.
      for index in asked.indices {
        asked[index].speech = asked.count - index
        asked[index].place = nil
        asked[index].absence = nil
      }
      let budget = Int64(draws.below(80))
      let turn = draws.below(asked.count)
      let turned = Array(asked[turn...] + asked[..<turn])
      let one = JitsiRule(Self.parameters).decide(state(budget, asked, lastN: lastN)).decisions
      let other = JitsiRule(Self.parameters).decide(state(budget, turned, lastN: lastN)).decisions
      #expect(Array(one[turn...] + one[..<turn]) == other)
    }
  }

  /// For a single source, the missing rate is what brings the next layer, to the bit.
  @Test func whatIsMissingIsEnough() {
    var draws = SplitMix(seed: 5)
    var count = 0
    for _ in 0..<10_000 {
      var asked = Self.random(&draws).asked[0]
      asked.layers = ladder([(180, Int64(9 + draws.below(9))), (360, Int64(50 + draws.below(9)))])
      let budget = Int64(draws.below(60))
      let rule = JitsiRule(Self.parameters)
      let outcome = rule.decide(state(budget, [asked]))
      let missing = outcome.decisions[0].missing.bitsPerSecond
      #expect((missing > 0) == (outcome.decisions[0].hindrance == .bandwidth))
      guard missing > 0 else { continue }
      #expect(outcome.margin.rise ?? .max <= missing)
      #expect(text(rule.decide(state(budget + missing - 1, [asked]))) == text(outcome))
      #expect(text(rule.decide(state(budget + missing, [asked]))) != text(outcome))
      count += 1
    }
    #expect(count > 2_000)
  }
}
