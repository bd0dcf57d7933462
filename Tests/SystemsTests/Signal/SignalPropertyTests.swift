import Allocation
import Ladder
import Quantity
import Systems
import TestSupport
import Testing
import Vendors

@Suite("Signal's allocation of random states")
struct SignalPropertyTests {
  private static func senders(_ chance: inout SplitMix) -> [MeasuredSubscription] {
    (0..<1 + chance.below(5)).map { (number: Int) -> MeasuredSubscription in
      let encodings = (0..<1 + chance.below(3)).map { (encoding: Int) -> IncomingEncoding in
        let rate = chance.isOne(in: 6) ? 0 : Int64(chance.below(20 * (encoding + 1)))
        return IncomingEncoding(rate: rate, height: 180 * (1 + encoding * chance.below(3)))
      }
      let asked: Int? = [nil, 0, 1, 180, 360, 720][chance.below(6)]
      return sender(
        encodings, asked: asked,
        forwarded: chance.isOne(in: 2) ? chance.below(encodings.count) : nil,
        spoke: chance.isOne(in: 2) ? number : nil, visibility: chance.isOne(in: 8) ? .offScreen : .onScreen)
    }
  }

  private static func random(_ chance: inout SplitMix) -> AllocationState {
    signalState(
      senders(&chance), target: Int64(chance.below(150)),
      minimum: chance.isOne(in: 2) ? Int64(chance.below(150)) : nil,
      drain: chance.isOne(in: 2) ? Int64(chance.below(40)) : 0, most: Int64(30 + chance.below(200)),
      speakerLines: chance.isOne(in: 3) ? 720 : nil)
  }

  private static func layers(_ outcome: AllocationOutcome) -> [LayerID?] { outcome.decisions.map(\.layer) }

  /// Ten thousand states; one in twenty is checked at every budget that may matter.
  @Test func budgetsAreKeptAndMarginsHold() {
    var chance = SplitMix(seed: 3)
    let rule = SignalRule()
    for round in 0..<10_000 {
      var state = Self.random(&chance)
      let budgets = round.isMultiple(of: 20) ? Array(0...160) : [Int(state.budget.bitsPerSecond)]
      var last: AllocationOutcome?
      var unchangedUntil: Int64 = 0
      for budget in budgets {
        state.budget = BitRate(bitsPerSecond: Int64(budget))
        let outcome = rule.decide(state)
        Self.check(outcome, state)
        #expect(Self.layers(outcome) == Reference.layers(state))
        if let last {
          let hasChanged = Self.layers(outcome) != Self.layers(last)
          if hasChanged { #expect(last.margin.rise == 1) }
          if Int64(budget) < unchangedUntil { #expect(!hasChanged) }
        }
        last = outcome
        unchangedUntil = outcome.margin.rise.map { Int64(budget) + $0 } ?? .max
      }
    }
  }

  private static func check(_ outcome: AllocationOutcome, _ state: AllocationState) {
    var sum: Int64 = 0
    for (decision, source) in zip(outcome.decisions, state.subscriptions) {
      sum += source.rate(of: decision.layer).bitsPerSecond
      let isRaised = source.wish.demand.speechRank == 0 && state.demand.speakerLines != nil
      if !isRaised, source.wish.demand.maximumLines == 0 || source.wish.visibility != .onScreen {
        #expect(decision.layer == nil)
      }
      if let layer = decision.layer {
        #expect(source.rate(of: layer) > .zero)
        #expect(decision.ideal.map { layer <= $0 } == true)
      }
      #expect((decision.hindrance == nil) == (decision.layer == decision.ideal))
      #expect((decision.missing > .zero) == (decision.hindrance == .bandwidth))
    }
    #expect(sum <= state.budget.bitsPerSecond)
    #expect(sum <= state.demand.maximumRate?.bitsPerSecond ?? .max)
    #expect(outcome.decisions.map(\.rank).sorted() == Array(1...state.subscriptions.count))
  }

  @Test func theOrderOfTheFileMattersForTiesOnly() {
    var chance = SplitMix(seed: 4)
    let rule = SignalRule()
    for _ in 0..<10_000 {
      var state = Self.random(&chance)
      for place in state.subscriptions.indices { state.subscriptions[place].wish.demand.speechRank = place }
      let forwards = Self.layers(rule.decide(state))
      state.subscriptions.reverse()
      #expect(Self.layers(rule.decide(state)) == forwards.reversed())
    }
  }
}

/// A plain version of the allocation, with both ceilings computed forwards.
private enum Reference {
  static func layers(_ state: AllocationState) -> [LayerID?] {
    let target = state.budget.bitsPerSecond
    let least = min(target, state.demand.minimumTarget?.bitsPerSecond ?? target)
    let drain = state.demand.queueDrain?.bitsPerSecond ?? 0
    let asked = state.subscriptions.map { lines($0.wish, state) }
    let ideals = zip(state.subscriptions, asked).map { ideal(rates($0), heights($0), $1) }
    let sum = zip(state.subscriptions, ideals).reduce(Int64(0)) { sum, next in
      sum + (next.1.map { rates(next.0)[$0] } ?? 0)
    }
    let most = min(sum, state.demand.maximumRate?.bitsPerSecond ?? 5_000_000)
    let different = min(most, max(least - drain, least * 9 / 10))
    let existing = min(most, max(target - drain, target * 9 / 10))
    let order = asked.indices.sorted { a, b in
      let (one, other) = (state.subscriptions[a].wish.demand, state.subscriptions[b].wish.demand)
      return (-asked[a], one.speechRank ?? 1000, a) < (-asked[b], other.speechRank ?? 1000, b)
    }
    var taken: [Int?] = asked.map { _ in nil }
    var total: Int64 = 0
    for encoding in 0..<3 {
      for place in order {
        let rates = rates(state.subscriptions[place])
        guard let ideal = ideals[place], encoding <= ideal, rates[encoding] > 0 else { continue }
        var own = encoding
        for higher in encoding...ideal where rates[higher] > 0 && rates[higher] < rates[own] { own = higher }
        let more = total + max(0, rates[own] - (taken[place].map { rates[$0] } ?? 0))
        let isSame = own == state.subscriptions[place].current?.encoding
        guard more <= (isSame ? existing : different) else { continue }
        taken[place] = own
        total = more
      }
    }
    return taken.map { $0.map { LayerID(encoding: $0, temporal: 0) } }
  }

  private static func lines(_ wish: Subscription, _ state: AllocationState) -> Int {
    let own = wish.visibility == .onScreen ? wish.demand.maximumLines ?? 1 : 0
    return wish.demand.speechRank == 0 ? max(own, state.demand.speakerLines ?? 0) : own
  }

  private static func rates(_ source: MeasuredSubscription) -> [Int64] {
    source.layers.map(\.bitrate.bitsPerSecond)
  }
  private static func heights(_ source: MeasuredSubscription) -> [Int] {
    source.layers.map(\.format.resolution.height)
  }

  private static func ideal(_ rates: [Int64], _ heights: [Int], _ lines: Int) -> Int? {
    guard lines > 0 else { return nil }
    let coming = rates.indices.filter { rates[$0] > 0 }
    guard let enough = coming.first(where: { heights[$0] >= lines }) else { return coming.last }
    return coming.last { heights[$0] == heights[enough] }
  }
}
