import Allocation
import Ladder
import Quantity
import Systems
import TestSupport
import Testing
import Vendors

/// Returns layers in the order of 3·s + t, with these rates; zero for a layer that does not arrive.
private func layers(_ rates: [Int64]) -> [Layer] {
  rates.enumerated().map { index, rate in
    Layer(
      id: LayerID(encoding: index / 3, temporal: index % 3),
      format: VideoFormat(
        Resolution(width: 320 << (index / 3), height: 180 << (index / 3)), framesPerSecond: 30),
      bitrate: BitRate(bitsPerSecond: rate))
  }
}

/// Usual rates [bit/s]: 180p, 360p and 720p with three temporal layers each.
private let usual: [Int64] = [60, 90, 150, 200, 300, 500, 1000, 1500, 2500].map { $0 * 1000 }

private func stream(
  _ rates: [Int64] = usual, _ substream: Int? = 2, _ temporal: Int = 2, target: LayerID? = nil,
  since: SimDuration? = nil, source: Int = 0
) -> MeasuredSubscription {
  let own = layers(rates)
  var wish = Subscription(source: source, requested: own[own.count - 1].format, offers: own)
  if let substream { wish.demand.ceiling = LayerID(encoding: substream, temporal: temporal) }
  var subscription = MeasuredSubscription(wish: wish, layers: own, target: target)
  subscription.sinceDowngrade = since
  return subscription
}

private func id(_ encoding: Int, _ temporal: Int) -> LayerID {
  LayerID(encoding: encoding, temporal: temporal)
}

private func decide(
  _ kilobits: Int64, _ streams: [MeasuredSubscription], allocates: Bool = true
) -> AllocationOutcome {
  decide(bits: kilobits * 1000, streams, allocates: allocates)
}

private func decide(bits: Int64, _ streams: [MeasuredSubscription], allocates: Bool = true)
  -> AllocationOutcome
{
  var parameters = JanusParameters()
  parameters.allocation = allocates
  return JanusRule(parameters).decide(
    AllocationState(budget: BitRate(bitsPerSecond: bits), subscriptions: streams))
}

@Suite("Janus' releases relay the named encoding")
struct JanusReleaseRuleTests {
  @Test func whateverTheBudget() {
    for kilobits in [0, 10, 10_000] as [Int64] {
      let outcome = decide(kilobits, [stream(), stream(usual, 1, 0)], allocates: false)
      #expect(outcome.decisions.map(\.layer) == [id(2, 2), id(1, 0)])
      #expect(outcome.decisions.allSatisfy { $0.hindrance == nil && $0.missing == .zero })
      #expect(outcome.margin.rise == nil)
    }
  }

  @Test func theHighestEncodingThatArrives() {
    let stopped = usual.prefix(6) + [0, 0, 0]
    #expect(decide(0, [stream(Array(stopped))], allocates: false).decisions[0].layer == id(1, 2))
    #expect(decide(0, [stream(Array(stopped), 2, 0)], allocates: false).decisions[0].layer == id(1, 0))
    // Nothing larger than named, and nothing from a source that sends nothing.
    let top = [0, 0, 0, 0, 0, 0] + usual.suffix(3)
    #expect(decide(0, [stream(top, 1)], allocates: false).decisions[0].layer == nil)
    #expect(decide(0, [stream(usual.map { _ in 0 })], allocates: false).decisions[0].layer == nil)
  }

  @Test func withoutAChoiceTheSizeSelects() {
    var small = stream(usual, nil)
    small.wish.maximum = VideoFormat(.p360, framesPerSecond: 30)
    #expect(decide(0, [small], allocates: false).decisions[0].layer == id(1, 2))
    small.wish.absence = .muted
    #expect(decide(0, [small], allocates: false).decisions[0].layer == nil)
  }
}

@Suite("Janus' branch walks through the subscriptions, and down each stream")
struct JanusAllocationRuleTests {
  @Test func theWantedLayerNeeds20KilobitsToSpare() {
    let full = decide(2520, [stream()])
    #expect(full.decisions[0].layer == id(2, 2) && full.decisions[0].rule == "janus-wanted")
    #expect(full.decisions[0].hindrance == nil && full.margin.rise == nil)
    let short = decide(bits: 2_519_999, [stream()])
    #expect(short.decisions[0].layer == id(2, 1) && short.decisions[0].hindrance == .bandwidth)
    #expect(short.decisions[0].missing.bitsPerSecond == 1 && short.margin.rise == 1)
    #expect(short.decisions[0].isDowngrade)
  }

  /// Layers below the wanted one have to fit as they are.
  @Test func theFirstBelowItThatFits() {
    let steps: [(Int64, LayerID)] = [
      (1500, id(2, 1)), (1499, id(2, 0)), (1000, id(2, 0)), (999, id(1, 2)), (500, id(1, 2)), (499, id(1, 1)),
      (299, id(1, 0)), (199, id(0, 2)), (149, id(0, 1)), (89, id(0, 0)), (60, id(0, 0)),
    ]
    for (kilobits, layer) in steps {
      #expect(decide(kilobits, [stream()]).decisions[0].layer == layer, "\(kilobits) kbps")
    }
  }

  /// A stream is never paused: without a previous decision, the wanted layer is relayed.
  @Test func whereNothingFitsNothingChanges() {
    let first = decide(59, [stream()]).decisions[0]
    #expect(first.layer == id(2, 2) && first.rule == "janus-unchanged" && first.hindrance == nil)
    let later = decide(59, [stream(target: id(1, 1))]).decisions[0]
    #expect(later.layer == id(1, 1) && later.hindrance == .bandwidth && !later.isDowngrade)
    #expect(later.missing == .kilobits(1))
    // The lowest layer, if wanted, has no other layer below it to try.
    let lowest = decide(79, [stream(usual, 0, 0)]).decisions[0]
    #expect(lowest.layer == id(0, 0) && lowest.rule == "janus-unchanged")
    #expect(decide(80, [stream(usual, 0, 0)]).decisions[0].rule == "janus-wanted")
  }

  @Test func theRestGoesToThoseBehindInTheirOrder() {
    // 2500 of 3000, which leaves 500: 360p at its full rate would need 520, 300 does not.
    let two = decide(3000, [stream(), stream(usual, 1, source: 1)])
    #expect(two.decisions.map(\.layer) == [id(2, 2), id(1, 1)])
    #expect(two.decisions[1].missing == .kilobits(20) && two.margin.rise == 20_000)
    // If the first gets nothing, nothing is left for the others.
    let none = decide(59, [stream(), stream([10, 20, 30, 0, 0, 0], 0, source: 1)])
    #expect(none.decisions[1].rule == "janus-unchanged")
    // In the order of the places, not of the meeting's sources; a subscription without a place comes first.
    var streams = [stream(), stream(usual, 2, source: 1), stream(usual, 2, source: 2)]
    streams[0].wish.demand.place = 1
    streams[1].wish.demand.place = 0
    let ordered = decide(5100, streams)
    #expect(ordered.decisions.map(\.rank) == [3, 2, 1])
    #expect(ordered.decisions.map(\.layer) == [id(0, 1), id(2, 2), id(2, 2)])
  }

  /// For 5 s after a drop, no encoding between it and the wanted one is taken; temporal layers and the wanted one are
  /// taken at once.
  @Test func theCooldownIsForEncodingsBetween() {
    func decision(_ kilobits: Int64, _ milliseconds: Int64?) -> SourceDecision {
      decide(kilobits, [stream(target: id(0, 1), since: milliseconds.map { .milliseconds($0) })]).decisions[0]
    }
    #expect(decision(600, 4999).layer == id(0, 2))
    #expect(decision(600, 4999).hindrance == .hold && decision(600, 4999).missing == .zero)
    #expect(decision(600, 5000).layer == id(1, 2) && decision(600, 5000).hindrance == .bandwidth)
    #expect(decision(600, nil).layer == id(1, 2))
    #expect(decision(2520, 0).layer == id(2, 2))
    #expect(decision(2519, 0).layer == id(0, 2))
    // Layers of its own encoding do not count as a drop; a lower encoding does.
    #expect(!decision(600, 4999).isDowngrade)
    let lower = decide(180, [stream(target: id(1, 2), since: .seconds(1))]).decisions[0]
    #expect(lower.layer == id(0, 2) && lower.isDowngrade)
    // Held, with nothing below it: it stays.
    let stuck = decide(
      250,
      [
        stream(
          [300, 400, 500, 100, 150, 200, 600, 700, 800].map { $0 * 1000 },
          target: id(0, 2), since: .seconds(1))
      ]
    ).decisions[0]
    #expect(stuck.layer == id(0, 2) && stuck.hindrance == .hold && stuck.rule == "janus-unchanged")
  }

  /// The layers that arrive up to the wanted one, by encoding and then by temporal layer: 360p at 30 fps replaces 720p
  /// at 7.5, is charged in full, and is relayed at the wanted temporal layer.
  @Test func layersThatDoNotArriveArePassedOver() {
    let stopped = Array(usual.prefix(6) + [0, 0, 0])
    #expect(decide(520, [stream(stopped)]).decisions[0].layer == id(1, 2))
    #expect(decide(520, [stream(stopped, 2, 0)]).decisions[0].layer == id(1, 0))
    let both = decide(579, [stream(stopped, 2, 0), stream(usual, 0, 0, source: 1)])
    #expect(both.decisions[1].rule == "janus-unchanged")
    #expect(
      decide(580, [stream(stopped, 2, 0), stream(usual, 0, 0, source: 1)]).decisions[1].rule == "janus-wanted"
    )
  }

  @Test func withoutSimulcastAllIsRelayed() {
    let share = stream([100_000, 200_000, 300_000], 2)
    let narrow = decide(299, [share, stream(usual, 0, 0, source: 1)])
    #expect(narrow.decisions[0].layer == id(0, 2) && narrow.decisions[0].hindrance == nil)
    #expect(narrow.decisions[1].rule == "janus-unchanged")
    #expect(decide(380, [share, stream(usual, 0, 0, source: 1)]).decisions[1].rule == "janus-wanted")
    #expect(decide(379, [share, stream(usual, 0, 0, source: 1)]).decisions[1].rule == "janus-unchanged")
  }

  // MARK: Properties

  private func random(_ random: inout SplitMix) -> [MeasuredSubscription] {
    (0..<random.within(1...4)).map { source in
      var rates: [Int64] = []
      for _ in 0..<random.within(1...3) {
        let base = random.below(5) == 0 ? 0 : Int64(random.within(1...8))
        rates +=
          base == 0 ? [0, 0, 0] : [base, base + Int64(random.below(4)), base + 3 + Int64(random.below(4))]
      }
      let target = random.below(2) == 0 ? id(random.below(3), random.below(3)) : nil
      let since = random.below(2) == 0 ? SimDuration.seconds(Int64(random.below(10))) : nil
      return stream(rates, random.below(3), random.below(3), target: target, since: since, source: source)
    }
  }

  /// Decides with a headroom on the scale of the test's numbers.
  private func small(_ budget: Int64, _ streams: [MeasuredSubscription]) -> AllocationOutcome {
    var parameters = JanusParameters()
    parameters.allocation = true
    parameters.wantedHeadroom = BitRate(bitsPerSecond: 2)
    return JanusRule(parameters).decide(
      AllocationState(budget: BitRate(bitsPerSecond: budget), subscriptions: streams))
  }

  /// A layer chosen because it fits does fit; only streams for which nothing fits are oversent.
  @Test func onlyStreamsThatStayAreOversent() {
    var generator = SplitMix(seed: 6)
    for _ in 0..<10_000 {
      let streams = random(&generator)
      let budget = Int64(generator.within(0...40))
      let decisions = small(budget, streams).decisions
      let fitting = zip(streams, decisions).filter {
        $0.1.rule == "janus-wanted" || $0.1.rule == "janus-lower"
      }
      #expect(fitting.reduce(Int64(0)) { $0 + $1.0.rate(of: $1.1.layer).bitsPerSecond } <= budget)
      for (stream, decision) in zip(streams, decisions) {
        let ceiling = stream.wish.demand.ceiling ?? id(2, 2)
        let isSimulcast = Set(stream.layers.map(\.id.encoding)).count > 1
        if let layer = decision.layer {
          #expect(stream.rate(of: layer) > .zero)
          if isSimulcast { #expect(layer.encoding <= ceiling.encoding && layer.temporal <= ceiling.temporal) }
        }
        #expect((decision.hindrance == nil) == (decision.layer == decision.ideal))
      }
    }
  }

  /// The places decide, not the order of the meeting's sources.
  @Test func theOrderOfTheSourcesDoesNotMatter() {
    var generator = SplitMix(seed: 8)
    for _ in 0..<10_000 {
      var streams = random(&generator)
      for index in streams.indices { streams[index].wish.demand.place = index }
      let budget = Int64(generator.within(0...40))
      #expect(small(budget, streams.reversed()).decisions.reversed() == small(budget, streams).decisions)
    }
  }

  @Test func nothingChangesBelowTheMargin() {
    var generator = SplitMix(seed: 7)
    for _ in 0..<10_000 {
      let streams = random(&generator)
      var earliest: Int64 = 0
      var last: [SourceDecision] = []
      for budget in Int64(0)...45 {
        let outcome = small(budget, streams)
        var decisions = outcome.decisions
        for index in decisions.indices { decisions[index].missing = .zero }
        if budget > 0, decisions != last { #expect(budget >= earliest) }
        last = decisions
        earliest = outcome.margin.rise.map { budget + $0 } ?? .max
      }
    }
  }
}
