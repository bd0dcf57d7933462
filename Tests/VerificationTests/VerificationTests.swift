import Testing
import Verification

@Suite("Verification")
struct VerificationTests {
  /// The bounds are those that libwebrtc's own tests assert.
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

  /// RFC 8868's bounds for flows of one round trip: over ten seeds, as single runs differ by a factor of two.
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

  /// Falls from 100 to 80 and from 110 to 60, ten values apart; one by less than a tenth is none.
  @Test func aSawtoothHasItsTeeth() throws {
    let values: [Double] = [
      90, 95, 100, 91, 80, 84, 88, 92, 100, 95, 105, 108, 110, 105, 60, 70,
    ]
    let teeth = try #require(Sawtooth(values))
    #expect(teeth.peak == 105 && teeth.trough == 70 && teeth.length == 10)
    #expect(Sawtooth(Array(values.prefix(13))) == nil)
  }
}
