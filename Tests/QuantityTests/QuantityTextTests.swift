import Quantity
import Testing

@Suite("Quantities read and write their units")
struct QuantityTextTests {
  @Test(
    arguments: [
      ("20 ms", 20_000_000), ("20ms", 20_000_000), ("1.5 s", 1_500_000_000), ("2 min", 120_000_000_000),
      ("7 us", 7_000), ("0 s", 0), ("1e3 ms", 1_000_000_000),
    ] as [(String, Int64)])
  func durationsAreExactNanoseconds(text: String, nanoseconds: Int64) throws {
    #expect(try SimDuration(text: text).nanoseconds == nanoseconds)
  }

  @Test(
    arguments: [
      ("2400 kbps", 2_400_000), ("2.4 Mbps", 2_400_000), ("0 kbps", 0), ("1 Gbps", 1_000_000_000),
    ] as [(String, Int64)])
  func ratesAreExactBits(text: String, bits: Int64) throws {
    #expect(try BitRate(text: text).bitsPerSecond == bits)
  }

  @Test func ratesAreScaledToTheNearestBit() {
    let scaled = [(3, 0.5), (5, 0.3), (7, 1.5), (1000, 0)].map {
      BitRate(bitsPerSecond: $0.0).scaled(by: $0.1).bitsPerSecond
    }
    #expect(scaled == [2, 2, 11, 0])
    #expect(SimDuration.milliseconds(1500).seconds == 1.5)
  }

  @Test func aPercentageIsAShare() throws {
    #expect(try Fraction(text: "0.5 %").value == 0.005)
  }

  @Test(arguments: [
    ("2400", "'2400' has no unit: write a bit rate with one of bps, kbps, Mbps, Gbps, such as '2400 kbps'"),
    ("-5 kbps", "'-5 kbps' is negative: a bit rate is zero or more, such as '2400 kbps'"),
    ("fast", "'fast' is not a bit rate: write '2400 kbps'"),
    (
      "5 furlongs",
      "'furlongs' is not a unit of a bit rate: use one of bps, kbps, Mbps, Gbps, such as '2400 kbps'"
    ),
    ("1e300 Gbps", "'1e300 Gbps' is too large: a bit rate is at most 1000 Gbps"),
    ("nan kbps", "'nan kbps' is not a bit rate: write '2400 kbps'"),
  ])
  func aBadRateSaysWhatWouldBeRight(text: String, message: String) {
    #expect {
      try BitRate(text: text)
    } throws: {
      "\($0)" == message
    }
  }

  @Test func descriptionsReadBackAsTheSameValue() throws {
    for nanoseconds in [
      1, 999, 1_000, 20_000_000, 1_500_000_000, 4_185_272_000, 86_399_999_999_999, 86_400_000_000_000,
    ] as [Int64] {
      let duration = SimDuration(nanoseconds: nanoseconds)
      #expect(try SimDuration(text: duration.description) == duration)
    }
  }

  @Test(arguments: [
    (5_000_000_000, "5 s"), (5_300_000_000, "5300 ms"), (4_185_272_000, "4.185272 s"),
    (1_000_000_001, "1.000000001 s"),
    (230_041_000, "230.041 ms"), (7_000, "7 us"), (7_050, "7.05 us"), (999, "999 ns"), (0, "0 s"),
    (-1_500_001, "-1.500001 ms"),
  ])
  func durationsAreWrittenInAUnitThatPeopleRead(nanoseconds: Int64, text: String) {
    #expect(SimDuration(nanoseconds: nanoseconds).description == text)
  }

  @Test func aByteAtThirtyMegabitsTakesTheNearestPicosecond() {
    #expect(BitRate.megabits(30).picosecondsPerByte == 266_667)
    #expect(BitRate.zero.picosecondsPerByte == nil)
  }
}

@Suite("Plain numbers")
struct PlainNumberTests {
  @Test func aPlainNumberHasNoSignExponentRadixOrLeadingZero() {
    #expect(["0", "16", "1280"].map { Int(plain: $0) } == [0, 16, 1280])
    #expect(["", "+5", "-5", "007", "1e3", "0x10", "1_0", " 1"].allSatisfy { Int(plain: $0) == nil })
    #expect(["7.5", "0.25", "30"].map { Double(plain: $0) } == [7.5, 0.25, 30])
    #expect(["7.", ".5", "1.2.3", "1e3", "-1", "inf", "0x1p3"].allSatisfy { Double(plain: $0) == nil })
  }

  @Test func aDecimalNumberIsFinite() {
    #expect(["-0.5", "1e6", ".5"].map { Double(decimal: $0) } == [-0.5, 1e6, 0.5])
    #expect(["nan", "inf", "1e999", "0x10", "", "e"].allSatisfy { Double(decimal: $0) == nil })
  }

  @Test(arguments: [
    (4e-06, "0.000004"), (-1.25e-05, "-0.0000125"), (1.5e-10, "0.00000000015"), (2e16, "20000000000000000.0"),
    (1.2345678901234568e+20, "123456789012345680000.0"), (-3e+17, "-300000000000000000.0"), (0.5, "0.5"),
    (30, "30.0"), (0, "0.0"), (0.0001, "0.0001"),
  ])
  func decimalsHaveAPointAndNoExponent(value: Double, text: String) {
    #expect(value.decimalText == text && Double(text) == value)
  }
}
