import Allocation
import Ladder
import Quantity
import Systems
import TestSupport
import Testing
import Vendors

@Suite("mediasoup's distribution of random states")
struct MediasoupPropertyTests {
  private static func parameters(_ chance: inout SplitMix) -> MediasoupParameters {
    var parameters = MediasoupParameters()
    parameters.remb = chance.isOne(in: 3)
    parameters.climbsPastDeadPreferred = !chance.isOne(in: 3)
    return parameters
  }

  private static func source(_ chance: inout SplitMix) -> MeasuredSubscription {
    let encodings = chance.isOne(in: 5) ? 1 : 1 + chance.below(3)
    let temporal = encodings == 1 && chance.isOne(in: 2) ? 1 : 1 + chance.below(3)
    let rates = (0..<encodings).map { encoding in
      var rate: Int64 = 0
      let isDead = chance.isOne(in: 6)
      return (0..<temporal).map { _ -> Int64 in
        if !chance.isOne(in: 8) { rate += Int64(chance.below(12 * (encoding + 1))) }
        return isDead ? 0 : rate
      }
    }
    let ceiling = LayerID(encoding: chance.below(encodings), temporal: chance.below(temporal))
    var source = consumed(
      rates, priority: [nil, 1, 2, 10][chance.below(4)], ceiling: chance.isOne(in: 2) ? ceiling : nil,
      visibility: chance.isOne(in: 8) ? .offScreen : .onScreen)
    if chance.isOne(in: 3) { source.current = LayerID(encoding: chance.below(encodings), temporal: 0) }
    if chance.isOne(in: 3) { source.ages = rates.map { _ in .milliseconds(Int64(chance.below(4000))) } }
    if chance.isOne(in: 4) { source.sinceDowngrade = .seconds(Int64(chance.below(15))) }
    return source
  }

  private static func layers(_ outcome: AllocationOutcome) -> [LayerID?] { outcome.decisions.map(\.layer) }

  /// Ten thousand states; one in twenty is checked at every budget that may matter.
  @Test func budgetsAreKeptAndMarginsHold() {
    var chance = SplitMix(seed: 1)
    for round in 0..<10_000 {
      let parameters = Self.parameters(&chance)
      let rule = MediasoupRule(parameters)
      let sources = (0..<1 + chance.below(5)).map { _ in Self.source(&chance) }
      let budgets = round.isMultiple(of: 20) ? Array(0...200) : [Int64(chance.below(200))]
      var last: (budget: Int64, outcome: AllocationOutcome)?
      var unchangedUntil: Int64?
      for budget in budgets.map({ Int64($0) }) {
        let outcome = rule.decide(sources, at: budget)
        Self.check(outcome, sources, budget, parameters)
        #expect(Self.layers(outcome) == Reference(parameters).layers(of: sources, at: budget))
        if let last {
          let hasChanged =
            Self.layers(outcome) != Self.layers(last.outcome)
            || outcome.decisions.map(\.hindrance) != last.outcome.decisions.map(\.hindrance)
          if hasChanged { #expect(last.outcome.margin.rise == 1) }
          if let unchangedUntil, budget < unchangedUntil { #expect(!hasChanged) }
        }
        last = (budget, outcome)
        unchangedUntil = outcome.margin.rise.map { budget + $0 } ?? .max
      }
    }
  }

  private static func check(
    _ outcome: AllocationOutcome, _ sources: [MeasuredSubscription], _ budget: Int64,
    _ parameters: MediasoupParameters
  ) {
    var simulcast: Int64 = 0
    for (decision, source) in zip(outcome.decisions, sources) {
      if source.wish.visibility != .onScreen { #expect(decision.layer == nil) }
      if source.layers.count > 1 { simulcast += source.rate(of: decision.layer).bitsPerSecond }
      if let ceiling = source.wish.demand.ceiling, let layer = decision.layer,
        !parameters.climbsPastDeadPreferred
      {
        #expect(layer.encoding <= ceiling.encoding)
        if layer.encoding == ceiling.encoding { #expect(layer.temporal <= ceiling.temporal) }
      }
      #expect((decision.hindrance == nil) == (decision.layer == decision.ideal))
      #expect((decision.missing > .zero) == (decision.hindrance == .bandwidth))
    }
    // At most eight percent, and only with REMB.
    #expect(simulcast * 100 <= budget * (parameters.remb ? 108 : 100))
    #expect(outcome.decisions.map(\.rank).sorted() == Array(1...sources.count))
  }

  /// Sources of different priorities are served alike in any order of the file.
  @Test func theOrderOfTheFileMattersForTiesOnly() {
    var chance = SplitMix(seed: 2)
    for _ in 0..<10_000 {
      let rule = MediasoupRule(Self.parameters(&chance))
      var sources = (0..<4).map { _ in Self.source(&chance) }
      for place in sources.indices { sources[place].wish.numericPriority = place + 1 }
      let budget = Int64(chance.below(200))
      let forwards = Self.layers(rule.decide(sources, at: budget))
      #expect(Self.layers(rule.decide(sources.reversed(), at: budget)) == forwards.reversed())
    }
  }

  /// While the budget of four sources only rises, layers drop: in steps of 10 kbit/s 8 times with equal priorities, and
  /// 26 times if one has priority 10; checked at every threshold, once more.
  @Test(arguments: [(1, 10_000, 8), (10, 10_000, 26), (1, nil, 9), (10, nil, 27)] as [(Int, Int64?, Int)])
  func layersFallWhileTheBudgetRises(priority: Int, step: Int64?, expected: Int) {
    let rates: [[Int64]] = [
      [49_500, 99_000, 150_000], [165_000, 330_000, 500_000], [660_000, 1_320_000, 2_000_000],
    ]
    let sources = (0..<4).map { consumed(rates, priority: $0 == 0 ? priority : 1) }
    let rule = MediasoupRule()
    let none = LayerID(encoding: -1, temporal: 0)
    var budget: Int64 = 0
    var falls = 0
    var last = rule.decide(sources, at: 0)
    while let rise = last.margin.rise {
      budget += step ?? rise
      let next = rule.decide(sources, at: budget)
      falls += zip(last.decisions, next.decisions).count { ($1.layer ?? none) < ($0.layer ?? none) }
      last = next
    }
    #expect(falls == expected)
    #expect(consumedLayers(last) == "2.2 2.2 2.2 2.2")
    if step == nil { #expect(budget == 8_000_000) }
  }
}

/// A plain version of the distribution: rounds over the remainder, which never falls below zero.
private struct Reference {
  private let parameters: MediasoupParameters

  init(_ parameters: MediasoupParameters) { self.parameters = parameters }

  func layers(of sources: [MeasuredSubscription], at budget: Int64) -> [LayerID?] {
    var taken: [LayerID?] = sources.map { _ in nil }
    var hasFlown: Set<Int> = []
    let active = sources.indices.filter {
      sources[$0].wish.visibility == .onScreen && sources[$0].layers.contains { $0.bitrate > .zero }
    }
    var remaining = budget
    for round in 0..<100 {
      let before = remaining
      for priority in [10, 2, 1] {
        for place in active where (sources[place].wish.numericPriority ?? 1) == priority {
          for _ in 0..<(round == 0 ? 1 : priority) {
            let used = step(sources[place], &taken[place], hasFlown.insert(place).inserted, remaining)
            remaining -= used
            if used == 0 { break }
          }
        }
      }
      if remaining == before { break }
    }
    for place in active where sources[place].layers.count == 1 { taken[place] = sources[place].layers[0].id }
    return taken
  }

  private func step(
    _ source: MeasuredSubscription, _ taken: inout LayerID?, _ isFirst: Bool, _ remaining: Int64
  )
    -> Int64
  {
    if source.layers.count == 1 {
      return isFirst ? min(remaining, source.layers[0].bitrate.bitsPerSecond) : 0
    }
    guard let (layer, cost) = next(source, taken) else { return 0 }
    let allowed = parameters.remb ? remaining * 108 / 100 : remaining
    guard cost <= allowed else { return 0 }
    taken = layer
    return min(cost, remaining)
  }

  private func next(_ source: MeasuredSubscription, _ taken: LayerID?) -> (LayerID, Int64)? {
    func rate(_ encoding: Int, _ temporal: Int) -> Int64 {
      source.rate(of: LayerID(encoding: encoding, temporal: temporal)).bitsPerSecond
    }
    let temporalLayers = (source.layers.map(\.id.temporal).max() ?? 0) + 1
    let encodings = (source.layers.last?.id.encoding ?? 0) + 1
    let preferred =
      source.wish.demand.ceiling ?? LayerID(encoding: encodings - 1, temporal: temporalLayers - 1)
    if taken == preferred { return nil }
    let isHeld = source.sinceDowngrade.map { $0 < .seconds(10) } ?? false
    for encoding in 0..<encodings {
      if isHeld, taken != nil, encoding > source.current?.encoding ?? -1 { return nil }
      if let taken, encoding < taken.encoding { continue }
      if !parameters.climbsPastDeadPreferred, encoding > preferred.encoding { return nil }
      if rate(encoding, temporalLayers - 1) == 0 { continue }
      if let taken, encoding != taken.encoding, let age = source.age(of: encoding), age < .seconds(2),
        source.age(of: taken.encoding) ?? .seconds(2) >= .seconds(2)
      {
        continue
      }
      let temporal = taken?.encoding == encoding ? (taken?.temporal ?? 0) + 1 : 0
      if temporal < temporalLayers {
        var cost = rate(encoding, temporal) - (temporal == 0 ? 0 : rate(encoding, temporal - 1))
        if temporal == 0, cost > 0, let taken { cost = max(1, cost - rate(taken.encoding, taken.temporal)) }
        if cost > 0 { return (LayerID(encoding: encoding, temporal: temporal), cost) }
      }
      if encoding >= preferred.encoding { return nil }
    }
    return nil
  }
}
