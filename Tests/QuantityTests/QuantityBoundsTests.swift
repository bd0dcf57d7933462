import Quantity
import Testing

/// The sums that the documentation of the quantities guarantees.
@Suite("Sums and products of the greatest quantities fit")
struct QuantityBoundsTests {
  /// The maximum number of participants.
  private static let participants: Int64 = 32_767

  private func sum<Value>(_ value: Value, _ count: Int64, _ add: (inout Value, Value) -> Void) -> Value {
    // By doubling, as that many additions of single values would take long.
    var result = value
    var doubled: Int64 = 1
    while doubled * 2 <= count {
      let half = result
      add(&result, half)
      doubled *= 2
    }
    return result
  }

  @Test func theGreatestTextsAreTaken() throws {
    #expect(try BitRate(text: "1000 Gbps").bitsPerSecond == 1_000_000_000_000)
    #expect(try SimDuration(text: "365 d").nanoseconds == 31_536_000_000_000_000)
    #expect(try ByteCount(text: "1000 GB").bytes == 1_000_000_000_000)
    #expect(throws: QuantityError.self) { try BitRate(text: "1000.1 Gbps") }
    #expect(throws: QuantityError.self) { try SimDuration(text: "366 d") }
  }

  @Test func framesTakeTheirTimeRoundedDown() {
    // 10^9 / 30 = 33,333,333.3 ns, twice that 66,666,666.7 ns.
    #expect(SimDuration(milliFramesPerSecond: 30_000).nanoseconds == 33_333_333)
    #expect(SimDuration(frames: 2, milliFramesPerSecond: 30_000).nanoseconds == 66_666_666)
    // 73 years of 1000 frames per second.
    let frames: Int64 = 2_302_128_000_000
    #expect(SimDuration(frames: frames, milliFramesPerSecond: 1_000_000).nanoseconds == frames * 1_000_000)
  }

  /// 92,000 rates of 10^14 bit/s: more than two for each participant, at the maximum scale.
  @Test func ratesOfEveryParticipantFit() {
    let greatest = BitRate.greatest.bitsPerSecond
    let (sum, overflows) = greatest.multipliedReportingOverflow(by: 92_000)
    #expect(!overflows && sum > 2 * Self.participants * greatest)
    #expect(self.sum(BitRate.greatest, 65_536) { $0 += $1 }.bitsPerSecond == 65_536 * greatest)
  }

  @Test func durationsOfAYearFitIntoASum() throws {
    let year = try SimDuration(text: "365 d")
    #expect(!year.nanoseconds.multipliedReportingOverflow(by: 292).overflow)
    #expect((SimTime.zero + year + .longest + year).nanoseconds > 0)
    #expect((SimTime.zero - year - .longest - year).nanoseconds < 0)
  }

  /// 10^12 bit/s over a day is 1.08 x 10^16 bytes.
  @Test func bytesOfADayFit() {
    let day: Int64 = 1_000_000_000_000 / 8 * 86_400
    #expect(!day.multipliedReportingOverflow(by: 850).overflow)
    #expect(sum(ByteCount(day), 512) { $0 += $1 }.bytes == 512 * day)
  }

  @Test func scaledRatesSaturate() {
    #expect(BitRate.megabits(1).scaled(by: .infinity) == .greatest)
    #expect(BitRate.megabits(1).scaled(by: 1e300) == .greatest)
    #expect(BitRate.megabits(1).scaled(by: -1e300).bitsPerSecond == -BitRate.greatest.bitsPerSecond)
    #expect(BitRate.zero.scaled(by: .infinity) == .zero && BitRate.megabits(1).scaled(by: .nan) == .zero)
    #expect(BitRate(rounding: 1e18) == .greatest && BitRate(rounding: 2.5).bitsPerSecond == 3)
  }

  @Test func multiplesOfDurationsSaturate() {
    #expect(SimDuration.seconds(3) * 4 == .seconds(12) && SimDuration.seconds(3) * -4 == .seconds(-12))
    #expect(SimDuration.seconds(86_400) * .max == .longest)
    #expect((SimDuration.seconds(-86_400) * .max).nanoseconds == -SimDuration.longest.nanoseconds)
    #expect(SimDuration.seconds(-86_400) * .min == .longest)
    #expect(SimDuration(rounding: .infinity) == .longest && SimDuration(rounding: .nan) == .zero)
    #expect(SimDuration(rounding: 1.5e9) == .milliseconds(1500))
  }
}
