import Allocation
import Quantity
import Testing

/// Streams that need 1000 kbps with everything beside them, and estimates that fall below that.
@Suite("Streams held through a fall")
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

  @Test func anEstimateThatRecoversTooLittleDoesNot() {
    var hold = StreamHold(parameters: usual)
    #expect(holds(&hold, 845, at: 1))
    #expect(!holds(&hold, 950, at: 6))
  }

  /// The budget is short by a reserve; the dip begins when the estimate falls.
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
