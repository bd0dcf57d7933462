import Quantity
import Testing

/// Products of accumulated quantities that exceed 64 bits.
@Suite("Proportions")
struct ProportionTests {
  @Test(arguments: [
    (7, 3, 2, 10), (-7, 3, 2, -10), (0, .max, 1, 0),
    // 115 MB x 8 x 10^10 over 15 minutes in ns, in tenths of bit/s.
    (115_292_151, 80_000_000_000, 900_000_000_000, 10_248_191),
    // A day at 100 Gbit/s in bytes, as bit/s.
    (1_080_000_000_000_000, 8_000_000_000, 86_400_000_000_000, 100_000_000_000),
    (.max, .max, .max, .max), (.max, 2, 1, .max), (.min, 2, 1, .min),
  ])
  func productsMayExceed64Bits(_ number: Int64, _ factor: Int64, _ divisor: Int64, _ expected: Int64) {
    #expect(number.scaled(by: factor, per: divisor) == expected)
  }

  @Test func aMeanOfDurationsIsOfTheirWholeSum() {
    #expect(SimDuration.mean(of: 7_000_000, over: 2) == .microseconds(3500))
    // 10^10 packets that waited 3 s each.
    let sum: Int128 = 30_000_000_000_000_000_000
    #expect(SimDuration.mean(of: sum, over: 10_000_000_000) == .seconds(3))
  }
}
