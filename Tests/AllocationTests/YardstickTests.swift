import Allocation
import Ladder
import Quantity
import TestSupport
import Testing

@Suite("The yardstick")
struct YardstickTests {
  private func seconds(_ count: Int64) -> SimTime { SimTime(nanoseconds: count * 1_000_000_000) }

  // MARK: Parts of the gap

  @Test func thePartsOfAMomentByHand() {
    let parts = GapParts(
      UtilityCourse(
        hull: 1000, atCapacity: 900, atEstimate: 950, atBudget: 800, decided: 700, forwarded: 650,
        decoded: 660))
    #expect(parts.estimate == -50)
    #expect(parts.reserve == 150)
    #expect(parts.rule == 100)
    #expect(parts.switching == 50)
    #expect(parts.loss == -10)
    #expect(parts.ladder == 100)
    #expect(parts.optimum == 900 && parts.utility == 660)
  }

  @Test func meansAreByTimeAndRounded() throws {
    var meter = UtilityMeter()
    #expect(meter.gap == nil)
    meter.add(
      UtilityCourse(hull: 0, atCapacity: 3, atEstimate: 0, atBudget: 0, decided: 0, forwarded: 0, decoded: 1),
      for: .seconds(1))
    meter.add(
      UtilityCourse(hull: 0, atCapacity: 0, atEstimate: 0, atBudget: 0, decided: 0, forwarded: 0, decoded: 0),
      for: .seconds(1))
    // 3 / 2 and 1 / 2: halves round up.
    #expect(meter.gap?.optimum == 2)
    #expect(meter.gap?.utility == 1)
    meter.add(UtilityCourse(), for: .seconds(1))
    #expect(meter.gap?.optimum == 1)
    #expect(meter.gap?.utility == 0)
    #expect(meter.duration == .seconds(3))
  }

  @Test func thePartsAddUpWhateverTheRounding() throws {
    var numbers = SplitMix(seed: 8)
    for _ in 0..<2000 {
      var meter = UtilityMeter()
      for _ in 0..<numbers.within(1...6) {
        let values = (0..<7).map { _ in numbers.below(Int64(4_000_000)) }
        meter.add(
          UtilityCourse(
            hull: values[0], atCapacity: values[1], atEstimate: values[2], atBudget: values[3],
            decided: values[4],
            forwarded: values[5], decoded: values[6]),
          for: SimDuration(nanoseconds: numbers.within(1...3_000_000_000)))
      }
      let gap = try #require(meter.gap)
      let sum = gap.estimate + gap.reserve + gap.rule + gap.switching + gap.loss
      #expect(sum == gap.optimum - gap.utility)
    }
  }

  // MARK: Layers

  /// A decided layer counts as it is offered: at its offered rate, or as the highest offered layer below it.
  @Test func aLayerCountsAsItIsOffered() {
    func layer(_ encoding: Int, _ temporal: Int, _ kilobits: Int64) -> Layer {
      Layer(
        id: LayerID(encoding: encoding, temporal: temporal),
        format: VideoFormat(encoding == 0 ? .p180 : .p360, framesPerSecond: temporal == 0 ? 15 : 30),
        bitrate: .kilobits(kilobits))
    }
    let ladder = [layer(0, 0, 100), layer(0, 1, 150), layer(1, 0, 300), layer(1, 1, 500)]
    func offered(_ offers: [Layer], _ encoding: Int, _ temporal: Int) -> BitRate? {
      let wish = Subscription(
        source: 0, requested: VideoFormat(.p360, framesPerSecond: 30), offers: offers, ladder: ladder)
      return wish.offered(upTo: LayerID(encoding: encoding, temporal: temporal))?.bitrate
    }
    let narrow = [layer(0, 0, 100), layer(0, 1, 150), layer(1, 0, 200), layer(1, 1, 350)]
    #expect(offered(narrow, 1, 1) == .kilobits(350))
    #expect(offered(narrow, 1, 0) == .kilobits(200))
    #expect(offered(Array(narrow.prefix(2)), 1, 1) == .kilobits(150))
    #expect(offered(Array(narrow.prefix(2)), 1, 0) == .kilobits(100))
    #expect(offered(Array(narrow.suffix(2)), 0, 1) == nil)
    #expect(offered([], 1, 1) == nil)
  }

  // MARK: Fairness

  @Test func jainsIndexOfShares() throws {
    // Shares 1, 1, 0.5: 2.5² / (3 x 2.25).
    let fairness = MeetingFairness([(10, 10), (400, 400), (5, 10)])
    #expect(abs(try #require(fairness.index) - 6.25 / 6.75) < 1e-12)
    #expect(fairness.worst == .init(viewer: 2, share: 0.5))
    #expect(MeetingFairness([(1, 2), (2, 4)]).index == 1)
    // Of equals the first; a viewer whose optimum is zero does not count.
    #expect(MeetingFairness([(0, 0), (1, 2), (2, 4)]).worst?.viewer == 1)
    // One of four has it all.
    #expect(MeetingFairness([(0, 1), (0, 1), (1, 1), (0, 1)]).index == 0.25)
    #expect(MeetingFairness([]).index == nil && MeetingFairness([(0, 5)]).index == nil)
    #expect(MeetingFairness([]).worst == nil && MeetingFairness([(0, 5)]).worst?.share == 0)
  }

  // MARK: Recovery

  @Test func recoveryIsFromTheRiseToNineTenthsOfTheOptimum() {
    var meter = RecoveryMeter()
    meter.note(capacity: 500, utility: 10, optimum: 1000, at: seconds(0))
    #expect(!meter.isRecovering)
    meter.note(capacity: 2000, utility: 899, optimum: 1000, at: seconds(10))
    #expect(meter.isRecovering)
    meter.note(capacity: 2000, utility: 899, optimum: 1000, at: seconds(12))
    #expect(meter.isRecovering)
    meter.note(capacity: 2000, utility: 900, optimum: 1000, at: seconds(14))
    #expect(!meter.isRecovering)
    #expect(meter.count == 1 && meter.total == .seconds(4) && meter.mean == .seconds(4))
    // A rise that finds the utility sufficient already starts no recovery; neither does a loss of utility alone.
    meter.note(capacity: 2100, utility: 900, optimum: 1000, at: seconds(20))
    meter.note(capacity: 2100, utility: 100, optimum: 1000, at: seconds(21))
    #expect(!meter.isRecovering && meter.count == 1)
  }

  @Test func aFallGivesItUpAndTheEndOfAnOutageBeginsIt() {
    var meter = RecoveryMeter()
    meter.note(capacity: 1000, utility: 0, optimum: 100, at: seconds(0))
    meter.note(capacity: 2000, utility: 0, optimum: 200, at: seconds(1))
    meter.note(capacity: 1500, utility: 0, optimum: 150, at: seconds(2))
    #expect(!meter.isRecovering && meter.count == 0)
    meter.note(capacity: 0, utility: 0, optimum: 0, at: seconds(3))
    meter.note(capacity: 1000, utility: 0, optimum: 100, at: seconds(5))
    // A further rise belongs to the same recovery.
    meter.note(capacity: 1500, utility: 95, optimum: 150, at: seconds(6))
    #expect(meter.isRecovering)
    meter.note(capacity: 1500, utility: 150, optimum: 150, at: seconds(8))
    #expect(meter.count == 1 && meter.total == .seconds(3) && meter.longest == .seconds(3))
  }

  // MARK: Switches

  @Test func switchesAreChangesOfWhatIsForwardedWhileShown() {
    let low = LayerID(encoding: 0, temporal: 2)
    let high = LayerID(encoding: 1, temporal: 2)
    var meter = SwitchMeter()
    meter.note(nil, at: seconds(0))
    meter.note(low, at: seconds(1))
    #expect(meter.count == 0)
    meter.note(high, at: seconds(2))
    meter.note(high, at: seconds(3))
    #expect(meter.count == 1)
    meter.note(nil, at: seconds(4))
    meter.note(LayerID(encoding: 1, temporal: 1), at: seconds(5))
    #expect(meter.count == 3)
    meter.hide(at: seconds(10))
    meter.note(low, at: seconds(30))
    #expect(meter.count == 3)
    #expect(meter.time(at: seconds(40)) == .seconds(20))
    var other = SwitchMeter()
    other.note(low, at: seconds(0))
    // Three switches in 20 s + 40 s of tile time.
    #expect([meter, other].perMinute(at: seconds(40)) == 3)
    #expect([SwitchMeter()].perMinute(at: seconds(40)) == nil)
  }
}
