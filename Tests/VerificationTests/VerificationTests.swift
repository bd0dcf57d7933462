import Testing
import Verification

@Suite("Verification")
struct VerificationTests {
  /// The bounds are those asserted by libwebrtc's own tests.
  @Test(
    arguments: Verification.cases().filter {
      $0.source.hasPrefix("libwebrtc") || $0.name == "growth-8-percent"
    }
    .map(\.name))
  func libwebrtcsOwnTestsHold(name: String) throws {
    let one = try #require(Verification.cases().first { $0.name == name })
    for check in one.run().checks {
      #expect(
        check.verdict == .pass,
        "\(check.metric): published \(check.published) \(check.tolerance), simulated \(check.simulated)")
    }
  }

  @Test func aCaseIsTheSameEveryTime() throws {
    let one = try #require(Verification.cases().first { $0.name == "rfc8867-5.1" })
    #expect(one.run().checks.map(\.simulated) == one.run().checks.map(\.simulated))
  }

  /// RFC 8868's bounds for flows with equal round trips: over ten seeds, as single runs differ by a factor of two.
  @Test(arguments: ["rfc8867-5.2", "rfc8867-5.4", "rfc8867-5.8"])
  func flowsOfOneRoundTripShareFairly(name: String) throws {
    let one = try #require(Verification.cases().first { $0.name == name })
    #expect(one.setup.hasSuffix("; means over 10 seeds"))
    let outcome = one.run()
    let ratio = try #require(
      outcome.checks.first { $0.metric == "ratio of the least to the greatest 20 s mean" })
    #expect(ratio.verdict == .pass, "\(ratio.simulated)")
    #expect(outcome.series.map(\.name).contains("flow-2"))
  }

  /// Half the frames and, by libwebrtc's split, 54.0 + 16.3 = 70.3 % of the bits are left; the figure shows 68.5.
  @Test func scallopsThirdLosesTheUpperTemporalLayer() throws {
    let one = try #require(Verification.cases().first { $0.name == "scallop-l1t3" })
    let checks = one.run().checks
    #expect(checks.count == 9)
    for check in checks where !check.metric.hasPrefix("share") {
      #expect(check.verdict == .pass, "\(check.metric): \(check.published), simulated \(check.simulated)")
    }
    let share = try #require(checks.first { $0.metric.hasPrefix("share") })
    #expect(share.published == "68.5" && share.tolerance == "±1.37")
    #expect(try abs(#require(Double(share.simulated)) - 70.3) <= 0.3)
    #expect(try #require(checks.first { $0.metric == "frame rate, 205 to 330 s [1/s]" }).simulated == "15")
  }

  @Test func aCheckFailsOutsideItsTolerance() {
    #expect(VerificationCheck("x", published: 10, simulated: 12, within: 2).verdict == .pass)
    #expect(VerificationCheck("x", published: 10, simulated: 12.1, within: 2).verdict == .fail)
    #expect(VerificationCheck("x", published: 100, simulated: 84, withinShare: 0.15).verdict == .fail)
    #expect(VerificationCheck("x", atLeast: 3, simulated: .nan).verdict == .fail)
    #expect(VerificationCheck("x", atMost: 3, simulated: .infinity).verdict == .fail)
  }

  @Test func aBoundHoldsAtItself() {
    #expect(VerificationCheck("x", atLeast: 3, simulated: 3).verdict == .pass)
    #expect(VerificationCheck("x", atMost: 3, simulated: 3).verdict == .pass)
  }

  /// Falls from 100 to 80 and from 110 to 60, ten values apart; a fall of less than a tenth does not count.
  @Test func aSawtoothHasItsTeeth() throws {
    let values: [Double] = [
      90, 95, 100, 91, 80, 84, 88, 92, 100, 95, 105, 108, 110, 105, 60, 70,
    ]
    let teeth = try #require(Sawtooth(values))
    #expect(teeth.peak == 105 && teeth.trough == 70 && teeth.length == 10)
    #expect(Sawtooth(Array(values.prefix(13))) == nil)
  }
}
