import Publishing
import Quantity
import TestSupport
import Testing

/// An encoding with a minimum of 300 kbps yields to a lower one after a second, and returns at 360 kbps.
@Suite("An encoding that gives way to a lower one")
struct WithdrawalTests {
  /// Feeds rows of time [ms] and capacity [kbit/s]; returns whether the encoding is off after each.
  private func follow(_ steps: [(time: Int64, kilobits: Int64)], least: BitRate? = .kilobits(300)) -> [Bool] {
    var withdrawal = EncodingWithdrawal()
    return steps.map { withdrawal.follow(least: least, within: .kilobits($0.kilobits), at: .ms($0.time)) }
  }

  @Test func itGivesWayAfterASecond() {
    let isOff = follow([(0, 300), (100, 299), (1099, 100), (1100, 299)])
    #expect(isOff == [false, false, false, true])
  }

  @Test func aDipThatEndsBeginsTheWaitAnew() {
    let isOff = follow([(0, 299), (900, 300), (1000, 299), (1999, 299), (2000, 299)])
    #expect(isOff == [false, false, false, false, true])
  }

  @Test func itReturnsWithAFifthToSpare() {
    let isOff = follow([(0, 299), (1000, 299), (1100, 300), (1200, 359), (1300, 360), (1400, 299)])
    #expect(isOff == [false, true, true, true, false, false])
  }

  @Test func nothingGivesWayToNothing() {
    let isOff = follow([(0, 0), (1000, 0), (2000, 0)], least: nil)
    #expect(isOff == [false, false, false])
  }
}
