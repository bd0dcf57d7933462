import Allocation
import Quantity
import Testing

/// Streams that need 1000 kbps including everything else, and estimates that fall below that.
@Suite("Streams held through a dip")
struct StreamHoldTests {
  private let usual = StreamHoldParameters(
    toleratedShare: 0.75, longest: .seconds(5), recoveredShare: 0.95)

  private func seconds(_ value: Double) -> SimTime { SimTime(nanoseconds: Int64(value * 1e9)) }

  private func holds(_ hold: inout StreamHold, _ estimate: Int64, at time: Double) -> Bool {
    hold.holds(
      isShort: estimate < 1000, estimate: .kilobits(estimate), needed: .kilobits(1000), now: seconds(time))
  }

  @Test func aFallOfOneOveruseIsWaitedOutForFiveSeconds() {
    var hold = StreamHold(parameters: usual)
    #expect(!holds(&hold, 1000, at: 0))
    #expect(holds(&hold, 845, at: 1))
    #expect(holds(&hold, 750, at: 5.999))
    #expect(!holds(&hold, 750, at: 6))
  }

  @Test func anEstimateThatRecoversKeepsThemForAsLongAgain() {
    var hold = StreamHold(parameters: usual)
    #expect(holds(&hold, 845, at: 1))
    #expect(holds(&hold, 800, at: 3))
    #expect(holds(&hold, 951, at: 6))
    #expect(holds(&hold, 790, at: 10.9))
    #expect(!holds(&hold, 790, at: 11))
  }

  @Test func anEstimateThatOnlyRisesKeepsThemForAsLongAsItDoes() {
    var hold = StreamHold(parameters: usual)
    #expect(holds(&hold, 845, at: 1))
    #expect(holds(&hold, 800, at: 1.5))
    #expect(holds(&hold, 801, at: 6))
    #expect(holds(&hold, 801, at: 20))
    #expect(holds(&hold, 949, at: 60))
    #expect(!holds(&hold, 948, at: 60.1))
    #expect(!holds(&hold, 950, at: 60.2))
  }

  /// A tenth of 1000 kbps may be repairs.
  @Test func whatRisesOnACongestedPathHasFiveSeconds() {
    var hold = StreamHold(parameters: usual)
    let held = [(800, 100, 1.0), (810, 101, 5.999), (820, 101, 6.0), (830, 100, 6.1)].map {
      estimate, repairs, time in
      hold.holds(
        isShort: true, estimate: .kilobits(estimate), needed: .kilobits(1000), repairs: .kilobits(repairs),
        now: seconds(time))
    }
    #expect(held == [true, true, false, true])
  }

  @Test func anEstimateThatFellAgainHasFiveSeconds() {
    var hold = StreamHold(parameters: usual)
    #expect(holds(&hold, 845, at: 1))
    #expect(holds(&hold, 900, at: 2))
    #expect(holds(&hold, 899, at: 3))
    #expect(holds(&hold, 940, at: 5.999))
    #expect(!holds(&hold, 950, at: 6))
  }

  @Test func aNewLowAfterFiveSecondsEndsIt() {
    var hold = StreamHold(parameters: usual)
    #expect(holds(&hold, 845, at: 1))
    #expect(holds(&hold, 850, at: 7))
    #expect(!holds(&hold, 840, at: 8))
    #expect(!holds(&hold, 845, at: 9))
  }

  /// The budget is short by a reserve; the dip starts when the estimate falls.
  @Test func streamsThatAreShortOfAReserveAreKept() {
    var hold = StreamHold(parameters: usual)
    for second in 0..<10 {
      let isHeld = hold.holds(
        isShort: true, estimate: .kilobits(1000), needed: .kilobits(1000), now: seconds(Double(second)))
      #expect(isHeld)
    }
    #expect(holds(&hold, 900, at: 10))
    #expect(holds(&hold, 900, at: 14.9))
    #expect(!holds(&hold, 900, at: 15))
  }

  @Test func aFallBelowThreeQuartersCountsAtOnce() {
    var hold = StreamHold(parameters: usual)
    #expect(!holds(&hold, 749, at: 1))
  }

  /// 100 of 1000 kbps are repairs: three quarters of 900 is 675.
  @Test func repairsAreNoMeasureOfAFall() {
    var hold = StreamHold(parameters: usual)
    let held = [(675, 1.0), (674, 1.1)].map { estimate, time in
      hold.holds(
        isShort: true, estimate: .kilobits(estimate), needed: .kilobits(1000), repairs: .kilobits(100),
        now: seconds(time))
    }
    #expect(held == [true, false])
  }

  @Test func theTimeBeginsAnewOnceTheEstimateWasBack() {
    var hold = StreamHold(parameters: usual)
    #expect(holds(&hold, 900, at: 0))
    #expect(!holds(&hold, 1000, at: 4))
    #expect(holds(&hold, 900, at: 5))
    #expect(holds(&hold, 900, at: 9.9))
    #expect(!holds(&hold, 900, at: 10))
  }

  @Test func bothBoundsAreParameters() {
    let parameters = StreamHoldParameters(
      toleratedShare: 0.95, longest: .seconds(1), recoveredShare: 0.95)
    var hold = StreamHold(parameters: parameters)
    #expect(holds(&hold, 960, at: 0))
    #expect(holds(&hold, 955, at: 0.9))
    #expect(!holds(&hold, 949, at: 0.95))
    #expect(!holds(&hold, 949, at: 1))
  }
}
