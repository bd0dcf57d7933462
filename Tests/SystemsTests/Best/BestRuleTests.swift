import Allocation
import Ladder
import Quantity
import Systems
import TestSupport
import Testing
import Vendors

@Suite("The optimum as a policy")
struct BestRuleTests {
  /// The ladder of the published comparison: 180p at three frame rates, 360p30, 720p30.
  static let rungs: [(Int, Int, Resolution, Int, Int64)] = [
    (0, 0, .p180, 7500, 49_500), (0, 1, .p180, 15_000, 99_000), (0, 2, .p180, 30_000, 150_000),
    (1, 0, .p360, 30_000, 500_000), (2, 0, .p720, 30_000, 2_000_000),
  ]
  static var layers: [Layer] {
    rungs.map { encoding, temporal, size, rate, bits in
      Layer(
        id: LayerID(encoding: encoding, temporal: temporal),
        format: VideoFormat(size, milliFramesPerSecond: rate),
        bitrate: BitRate(bitsPerSecond: bits))
    }
  }
  static let thumbnail = Resolution(width: 426, height: 240)

  static func subscription(
    _ source: Int, tile: Resolution = thumbnail, weight: Double = 1, layers: [Layer] = layers
  ) -> MeasuredSubscription {
    var wish = Subscription(
      source: source, requested: VideoFormat(tile, framesPerSecond: 30),
      maximum: VideoFormat(.p720, framesPerSecond: 30), offers: layers, tile: tile)
    wish.weight = weight
    return MeasuredSubscription(wish: wish, layers: layers)
  }

  private let rule = Best(.init()).rule

  private func decide(_ budget: Int64, _ subscriptions: [MeasuredSubscription]) throws -> AllocationOutcome {
    try #require(rule).decide(
      AllocationState(budget: BitRate(bitsPerSecond: budget), subscriptions: subscriptions))
  }

  private func layers(_ outcome: AllocationOutcome) -> [String] {
    outcome.decisions.map { $0.layer.map { "\($0.encoding).\($0.temporal)" } ?? "" }
  }

  // MARK: By hand

  @Test func oneSourceClimbsRungByRung() throws {
    let steps: [(Int64, String, Int64)] = [
      (0, "", 49_500), (49_499, "", 1), (49_500, "0.0", 49_500), (98_999, "0.0", 1), (99_000, "0.1", 51_000),
      (149_999, "0.1", 1), (150_000, "0.2", 350_000), (499_999, "0.2", 1), (500_000, "1.0", 1_500_000),
      (1_999_999, "1.0", 1), (2_000_000, "2.0", 0),
    ]
    for (budget, layer, missing) in steps {
      let outcome = try decide(budget, [Self.subscription(0)])
      #expect(layers(outcome) == [layer])
      let decision = outcome.decisions[0]
      #expect(decision.missing.bitsPerSecond == missing)
      #expect(outcome.margin.rise == (missing > 0 ? missing : nil))
      #expect(decision.hindrance == (missing > 0 ? .bandwidth : nil))
      #expect(decision.ideal == LayerID(encoding: 2, temporal: 0))
      #expect(decision.rank == 1 && decision.rule == "optimum")
    }
  }

  /// The stage weighs four times as much: it comes first, and once its 360 lines are worth it, before any thumbnail.
  @Test func theStageIsWorthMore() throws {
    let stage = Self.subscription(1, tile: .p720, weight: 4)
    let meeting = [Self.subscription(0), stage]
    // 180p is worth 0.60 in a thumbnail and 0.16 on the stage: the first 150 kbps go to the thumbnail.
    #expect(layers(try decide(150_000, meeting)) == ["0.2", ""])
    // 360p on the stage is worth 1.9.
    #expect(layers(try decide(500_000, meeting)) == ["", "1.0"])
    #expect(layers(try decide(650_000, meeting)) == ["0.2", "1.0"])
    #expect(layers(try decide(2_150_000, meeting)) == ["0.2", "2.0"])
  }

  @Test func equalSourcesAreServedInOrder() throws {
    let meeting = (0..<3).map { Self.subscription($0) }
    #expect(layers(try decide(99_000, meeting)) == ["0.0", "0.0", ""])
    // 0.48 + 0.48 + 0.36 for 247.5 kbps is a little more than 0.60 + 0.36 + 0.36 for 249 kbps.
    #expect(layers(try decide(249_000, meeting)) == ["0.1", "0.1", "0.0"])
    #expect(layers(try decide(247_499, meeting)) == ["0.1", "0.0", "0.0"])
  }

  @Test func whatIsNotShownCostsNothing() throws {
    var hidden = Self.subscription(0)
    hidden.wish.visibility = .offScreen
    var muted = Self.subscription(1)
    muted.wish.absence = .muted
    let outcome = try decide(.max, [hidden, muted, Self.subscription(2)])
    #expect(layers(outcome) == ["", "", "2.0"])
    #expect(outcome.decisions.map(\.rule) == ["not-shown", "not-shown", "optimum"])
    #expect(outcome.decisions.map(\.ideal) == [nil, nil, LayerID(encoding: 2, temporal: 0)])
    #expect(outcome.decisions.allSatisfy { $0.missing == .zero && $0.hindrance == nil })
  }

  // MARK: Switches

  /// 150 kbps are one picture of 180p30, and the second's is worth 1.24 or 1.26 times the first's: with a cost of 25 %
  /// the first keeps it, then loses it. The second takes 15 kbps more with its key frame: the bits of 0.3 s in a window
  /// of 3 s.
  @Test func aPresentPictureGivesWayToOneThatIsWorthAQuarterMore() throws {
    func given(_ weight: Double, present: LayerID?, within budget: Int64 = 165_000) throws -> [String] {
      var first = Self.subscription(0, layers: [Self.layers[2]])
      first.target = present
      return layers(
        try decide(budget, [first, Self.subscription(1, weight: weight, layers: [Self.layers[2]])]))
    }
    let present = LayerID(encoding: 0, temporal: 2)
    #expect(try given(1.24, present: present) == ["0.2", ""])
    #expect(try given(1.26, present: present) == ["", "0.2"])
    #expect(try given(1.26, present: present, within: 164_999) == ["0.2", ""])
    #expect(try given(1.24, present: nil, within: 150_000) == ["", "0.2"])
  }

  /// Three equal pictures, the first of which is shown. Its rate includes its own key frame: 64.5 kbps, where the
  /// others have 49.5, so two of those would fit into 100 kbps in its place. With their key frames, of 150 kbps × 0.3 s
  /// / 3 s, they take 64.5 as well, and a second one is shown once the budget reaches 129.
  @Test func aPictureDoesNotGiveWayToThoseWhoseKeyFramesAreYetToCome() throws {
    var first = Self.subscription(0)
    first.layers[0].bitrate = BitRate(bitsPerSecond: 64_500)
    first.target = LayerID(encoding: 0, temporal: 0)
    let meeting = [first, Self.subscription(1), Self.subscription(2)]
    let short = try decide(100_000, meeting)
    #expect(layers(short) == ["0.1", "", ""])
    // 99 kbps are available, and 64.5 would not fit in addition to the first's 64.5.
    #expect(short.decisions[1].hindrance == .bandwidth)
    #expect(layers(try decide(128_999, meeting)) == ["0.1", "", ""])
    #expect(layers(try decide(129_000, meeting)) == ["0.0", "0.0", ""])
  }

  /// A present layer counts double: 0.60 at 30 fps is less than twice 0.48 at 15, but is taken all the same.
  @Test func temporalLayersOfAnEncodingCostNothing() throws {
    var parameters = Best.Parameters()
    parameters.switchingCost = try #require(Fraction(1))
    let rule = try #require(Best(parameters).rule)
    var subscription = Self.subscription(0)
    subscription.target = LayerID(encoding: 0, temporal: 1)
    func decide(_ budget: Int64) -> SourceDecision {
      rule.decide(
        AllocationState(budget: BitRate(bitsPerSecond: budget), subscriptions: [subscription])
      ).decisions[0]
    }
    #expect(decide(150_000).layer == LayerID(encoding: 0, temporal: 2))
    // 0.60, and 0.48 on top of that, exceed anything that 360 or 720 lines are worth in a thumbnail.
    let held = decide(.max)
    #expect(held.layer == LayerID(encoding: 0, temporal: 2))
    #expect(held.ideal == LayerID(encoding: 2, temporal: 0))
    #expect(held.hindrance == .hold && held.missing == .zero)
  }

  /// In a 360p tile, 180p30 is worth 0.40, and is kept until something is worth 0.50: 360p7.5 at 0.45 is not, 360p30 at
  /// 0.76 is, but the device does not decode it. If the budget does not carry its 500 kbps, the device withholds
  /// nothing.
  @Test func aDeviceComesBeforeAHold() throws {
    func layer(_ temporal: Int, _ milliFrames: Int, _ rate: Int64) -> Layer {
      Layer(
        id: LayerID(encoding: 1, temporal: temporal),
        format: VideoFormat(.p360, milliFramesPerSecond: milliFrames), bitrate: .kilobits(rate))
    }
    let layers = [Self.layers[2], layer(0, 7500, 250), layer(1, 30_000, 500)]
    func hindrance(_ budget: Int64, beyond: Layer?) throws -> Limitation? {
      var held = Self.subscription(0, tile: .p360, layers: layers)
      held.wish.confine(toDecoded: layers[1], isCut: beyond != nil, beyond: beyond)
      held.layers = held.wish.ladder
      held.beyondDevice = held.wish.confinement.beyondDevice
      held.target = layers[0].id
      let decision = try decide(budget, [held]).decisions[0]
      #expect(decision.layer == layers[0].id && decision.ideal == layers[1].id)
      return decision.hindrance
    }
    #expect(try hindrance(500_000, beyond: layers[2]) == .device)
    #expect(try hindrance(499_999, beyond: layers[2]) == .hold)
    #expect(try hindrance(500_000, beyond: nil) == .hold)
  }

  // MARK: Random states

  private func randomState(_ numbers: inout SplitMix) -> [MeasuredSubscription] {
    (0..<Int(numbers.within(1...5))).map { source in
      var rate: Int64 = 0
      let layers = Self.layers.map { layer in
        var layer = layer
        rate += numbers.within(1...9)
        layer.bitrate = BitRate(bitsPerSecond: numbers.within(0...5) == 0 ? 0 : rate * 1000)
        return layer
      }
      var subscription = Self.subscription(
        source, tile: [Self.thumbnail, .p360, .p720][Int(numbers.within(0...2))],
        weight: [0, 1, 1, 4][Int(numbers.within(0...3))], layers: layers)
      if numbers.within(0...5) == 0 { subscription.wish.visibility = .hidden }
      if numbers.within(0...5) == 0 { subscription.wish.maximum.resolution = .p360 }
      return subscription
    }
  }

  private func total(_ outcome: AllocationOutcome, _ meeting: [MeasuredSubscription]) -> Int64 {
    zip(outcome.decisions, meeting).reduce(0) { $0 + $1.1.rate(of: $1.0.layer).bitsPerSecond }
  }

  @Test func tenThousandStatesKeepTheBudgetAndTheMargin() throws {
    var numbers = SplitMix(seed: 1)
    for _ in 0..<10_000 {
      let meeting = randomState(&numbers)
      let budget: Int64 = numbers.within(0...150_000)
      let outcome = try decide(budget, meeting)
      #expect(total(outcome, meeting) <= budget)
      for (decision, subscription) in zip(outcome.decisions, meeting) {
        guard let layer = decision.layer else { continue }
        #expect(subscription.wish.visibility == .onScreen && subscription.wish.weight > 0)
        #expect(subscription.rate(of: layer) > .zero)
      }
      let rise = outcome.margin.rise ?? 40_000
      let before = try decide(budget + rise - 1, meeting)
      #expect(before.decisions.map(\.layer) == outcome.decisions.map(\.layer))
      if outcome.margin.rise != nil {
        let after = try decide(budget + rise, meeting)
        #expect(after.decisions.map(\.layer) != outcome.decisions.map(\.layer))
        #expect(before.margin.rise == 1)
      }
    }
  }

  /// Whatever the order, utility and bits are the same.
  @Test func theOrderDecidesTiesOnly() throws {
    var numbers = SplitMix(seed: 2)
    for _ in 0..<10_000 {
      let meeting = randomState(&numbers)
      let budget: Int64 = numbers.within(0...150_000)
      let turned = Array(meeting.reversed())
      let one = try decide(budget, meeting)
      let other = try decide(budget, turned)
      #expect(total(one, meeting) == total(other, turned))
      #expect(utility(one, meeting) == utility(other, turned))
    }
  }

  private func utility(_ outcome: AllocationOutcome, _ meeting: [MeasuredSubscription]) -> Int64 {
    zip(outcome.decisions, meeting).reduce(0) { sum, pair in
      let options = pair.1.wish.options(of: pair.1.layers, staysWithinRequest: false)
      return sum + (pair.1.layers.firstIndex { $0.id == pair.0.layer }.map { options[$0].utility } ?? 0)
    }
  }

  // MARK: The policy and the schedule

  @Test func thePolicyGrantsTheIdealLayerWhateverTheBudget() {
    var hidden = Self.subscription(1).wish
    hidden.visibility = .offScreen
    var cut = Self.subscription(2).wish
    cut.maximum = VideoFormat(.p360, framesPerSecond: 30)
    let grants = Best(.init()).policy.allocate(
      budget: .zero, wishes: [Self.subscription(0).wish, hidden, cut])
    #expect(grants.map { $0.layer?.id.encoding } == [2, nil, 1])
    #expect(grants.map(\.limitation) == [.none, .offScreen, .none])
  }

  @Test func aShortBudgetIsFollowedAtOnceAndARiseAfterASecond() {
    var schedule = BestSchedule(spacing: Best.Parameters().decisionSpacing)
    func decides(_ kilobits: Int64, at milliseconds: Int64) -> Bool {
      schedule.receive(.kilobits(kilobits), allocated: .kilobits(500), at: .ms(milliseconds))
    }
    let first = decides(600, at: 0)
    #expect(first)
    schedule.noteDecision(at: .ms(0))
    #expect(schedule.dueAt == nil)
    let early = decides(500, at: 999)
    #expect(!early)
    #expect(schedule.dueAt == SimTime.ms(1000))
    let short = decides(499, at: 999)
    #expect(short)
    let late = decides(700, at: 1000)
    #expect(late)
    schedule.noteDecision(at: .ms(1000))
    #expect(schedule.dueAt == nil)
  }
}
