import CongestionControl
import Quantity
import Testing

@Suite("Receive-side probes")
struct ReceiveSideProbeTests {
  private var sent: Int64 = 0
  private var received: Int64 = 0

  /// Adds packets of 1000 B by (send gap, arrival gap) [us]; returns the last result [bit/s].
  private mutating func add(
    _ gaps: [(Int64, Int64)], to probes: inout SendTimeProbes, estimate: Int64? = nil
  ) -> Int64? {
    var result: Int64?
    for gap in gaps {
      sent += gap.0
      received += gap.1
      result =
        probes.add(
          sent: sent, received: received, size: 1000, estimate: estimate.map { BitRate(bitsPerSecond: $0) })?
        .bitsPerSecond
    }
    return result
  }

  /// Returns the rate found from a first packet and others after it.
  private mutating func rate(_ gaps: [(Int64, Int64)], estimate: Int64? = nil) -> Int64? {
    var probes = SendTimeProbes()
    return add([(0, 0)] + gaps, to: &probes, estimate: estimate)
  }

  private static func even(_ count: Int, _ sent: Int64, _ received: Int64) -> [(Int64, Int64)] {
    Array(repeating: (sent, received), count: count)
  }

  @Test mutating func fivePacketsAreAProbe() {
    #expect(rate(Self.even(3, 10_000, 10_000)) == nil)
    #expect(rate(Self.even(4, 10_000, 10_000)) == 800_000)
  }

  @Test mutating func arrivalsMayBeTwoMillisecondsSlowerOrFiveFaster() {
    #expect(rate(Self.even(4, 10_000, 12_000)) == 666_666)
    #expect(rate(Self.even(4, 10_000, 12_001)) == nil)
    #expect(rate(Self.even(4, 10_000, 5000)) == 800_000)
    #expect(rate(Self.even(4, 10_000, 4999)) == nil)
  }

  @Test mutating func mostPairsAreAMillisecondApart() {
    #expect(rate(Self.even(4, 1000, 1000)) == 8_000_000)
    #expect(rate(Self.even(4, 999, 1000)) == nil)
    #expect(rate(Self.even(4, 1000, 999)) == nil)
    // Half of four pairs is not enough.
    #expect(rate(Self.even(2, 1000, 1000) + Self.even(2, 1000, 500)) == nil)
    #expect(rate(Self.even(3, 1000, 1000) + Self.even(1, 1000, 500)) == 8_000_000)
  }

  /// Four pairs with a mean of 42,499 / 4, in whole microseconds.
  @Test mutating func gapsOfAClusterDifferByLessThanTwoAndAHalfMilliseconds() {
    #expect(rate([(10_000, 10_000), (12_499, 12_499), (10_000, 10_000), (10_000, 10_000)]) == 753_012)
    #expect(rate([(10_000, 10_000), (12_500, 12_500), (10_000, 10_000), (10_000, 10_000)]) == nil)
  }

  @Test mutating func aProbeNeverLowersTheEstimate() {
    #expect(rate(Self.even(4, 10_000, 10_000), estimate: 799_999) == 800_000)
    #expect(rate(Self.even(4, 10_000, 10_000), estimate: 800_000) == nil)
  }

  @Test mutating func theHigherOfTwoClustersCounts() {
    var probes = SendTimeProbes()
    #expect(add([(0, 0)] + Self.even(4, 5000, 5000), to: &probes, estimate: 2_000_000) == nil)
    #expect(add(Self.even(5, 10_000, 10_000), to: &probes, estimate: 1_000_000) == 1_600_000)
  }

  /// The pair between two clusters would count for the first but is credited to the second: 2 of its 4 are not enough.
  @Test mutating func thePairThatEndsAClusterIsCreditedToIt() {
    var probes = SendTimeProbes()
    _ = add([(0, 0)] + Self.even(4, 10_000, 10_000), to: &probes, estimate: 1_000_000)
    let next = Self.even(3, 4000, 4000) + [(4000, 500)]
    #expect(add(next, to: &probes, estimate: 1_000_000) == nil)
    // With 3 of 5 it is a probe: 5 x 4000 us.
    #expect(add([(4000, 4000)], to: &probes, estimate: 1_000_000) == 2_000_000)
  }

  @Test mutating func aClusterThatIsNoProbeHidesLaterOnes() {
    var probes = SendTimeProbes()
    #expect(add([(0, 0)] + Self.even(4, 10_000, 13_000), to: &probes) == nil)
    #expect(add(Self.even(5, 5000, 5000), to: &probes) == nil)
    #expect(probes.packetCount == 10)
    // A third cluster makes it forget everything.
    #expect(add(Self.even(4, 10_000, 10_000), to: &probes) == nil)
    #expect(probes.packetCount == 0)
    #expect(add(Self.even(4, 5000, 5000), to: &probes) == nil)
    #expect(add(Self.even(1, 5000, 5000), to: &probes) == 1_600_000)
  }

  @Test mutating func withoutAClusterTheOldestOfFifteenPacketsIsForgotten() {
    var probes = SendTimeProbes()
    var counts: [Int] = []
    for index in 0..<20 {
      let gap: Int64 = index % 2 == 0 ? 10_000 : 20_000
      _ = add([(gap, gap)], to: &probes)
      counts.append(probes.packetCount)
    }
    let expected = Array(1...14) + [14, 14, 14, 14, 14, 14]
    #expect(counts == expected)
    // Three more, until a run of four pairs is found; after that, none.
    for _ in 0..<20 { _ = add([(30_000, 30_000)], to: &probes, estimate: 1_000_000) }
    #expect(probes.packetCount == 31)
  }
}
