import Quantity
import TestSupport
import Testing
import Transport

@Suite("RTCP sender and receiver reports")
struct ReportExchangeTests {

  /// Sent at 1000 ms, received at 1050; the answer leaves at 1300 and is back at 1400: 50 + 100 ms, to 1/65536 s each.
  @Test func theRoundTripLeavesOutTheReceiversWaiting() throws {
    var ends = ReportExchange()
    ends.receive(report: ReportExchange.stamp(SimTime.ms(1000)), at: .ms(1050))
    let takenBlock = ends.takeBlock(newest: 9, arrivals: 10, at: .ms(1300))
    let block = try #require(takenBlock)
    let outcome = ends.receive(block, at: .ms(1400))
    let roundTrip = try #require(outcome.roundTrip)
    #expect(abs((roundTrip - .milliseconds(150)).nanoseconds) <= 2 * 15_259)
    #expect(outcome.lost == 0 && outcome.expected == 10)
  }

  @Test func withoutASenderReportThereIsNoRoundTrip() throws {
    var ends = ReportExchange()
    let takenBlock = ends.takeBlock(newest: 0, arrivals: 1, at: .ms(10))
    let block = try #require(takenBlock)
    let outcome = ends.receive(block, at: .ms(20))
    #expect(outcome.roundTrip == nil)
  }

  @Test func aRoundTripIsAtLeastAMillisecond() throws {
    var ends = ReportExchange()
    ends.receive(report: ReportExchange.stamp(SimTime.ms(5)), at: .ms(5))
    let takenBlock = ends.takeBlock(newest: 0, arrivals: 1, at: .ms(5))
    let block = try #require(takenBlock)
    let outcome = ends.receive(block, at: .ms(5))
    #expect(outcome.roundTrip == .milliseconds(1))
  }

  @Test func nothingNewIsNoReport() {
    var ends = ReportExchange()
    let blocks = [(0, 0), (4, 5), (4, 5)].map { newest, arrivals in
      ends.takeBlock(newest: UInt16(newest), arrivals: arrivals, at: .ms(1))
    }
    #expect(blocks.map { $0 != nil } == [false, true, false])
  }

  /// 100 packets with 10 missing, then 100 without loss: no counts are lost with a lost report.
  @Test func aLostReportLosesNoCounts() throws {
    var ends = ReportExchange()
    _ = ends.takeBlock(newest: 99, arrivals: 90, at: .ms(1000))
    let takenSecond = ends.takeBlock(newest: 199, arrivals: 190, at: .ms(2000))
    let second = try #require(takenSecond)
    let outcome = ends.receive(second, at: .ms(2100))
    #expect(outcome.lost == 10 && outcome.expected == 200)
    let takenThird = ends.takeBlock(newest: 299, arrivals: 285, at: .ms(3000))
    let third = try #require(takenThird)
    let next = ends.receive(third, at: .ms(3100))
    #expect(next.lost == 5 && next.expected == 100)
  }

  /// Packets up to 65533 were sent before, and 60,000 of them arrived; of the six from 65534 on, across the wrap, five
  /// have arrived.
  @Test func aNewConnectionCountsItsOwnPackets() throws {
    var ends = ReportExchange(from: 65_534, arrivals: 60_000)
    let none = ends.takeBlock(newest: 65_530, arrivals: 60_000, at: .ms(5))
    #expect(none == nil)
    let takenBlock = ends.takeBlock(newest: 3, arrivals: 60_005, at: .ms(10))
    let block = try #require(takenBlock)
    let outcome = ends.receive(block, at: .ms(20))
    #expect(outcome.expected == 6 && outcome.lost == 1 && outcome.roundTrip == nil)
  }

  /// A tenth of the packets is missing, over more numbers than a 16-bit word holds.
  @Test func countsGoOnBeyondTheirWords() throws {
    var ends = ReportExchange()
    var lost = 0
    var expected = 0
    for report in 1...500 {
      let newest = UInt16(truncatingIfNeeded: report * 400 - 1)
      let takenBlock = ends.takeBlock(newest: newest, arrivals: report * 360, at: .ms(Int64(report)))
      let block = try #require(takenBlock)
      let outcome = ends.receive(block, at: .ms(Int64(report)))
      lost += outcome.lost
      expected += outcome.expected
    }
    #expect(lost == 20_000 && expected == 200_000)
  }

  /// 360 / kbps seconds, at most one; for audio alone, every five.
  @Test func theIntervalFollowsTheSendersRate() {
    #expect(ReportExchange.interval(hasVideo: true, sendRate: .kilobits(200)) == .seconds(1))
    #expect(ReportExchange.interval(hasVideo: true, sendRate: .kilobits(720)) == .milliseconds(500))
    #expect(ReportExchange.interval(hasVideo: true, sendRate: .kilobits(3600)) == .milliseconds(100))
    #expect(ReportExchange.interval(hasVideo: true) == .seconds(1))
    #expect(ReportExchange.interval(hasVideo: false, sendRate: .kilobits(3600)) == .seconds(5))
  }

  /// SR 28 + SDES 28 bytes, RR 32 for each stream; plus 14 of SRTCP, 8 of UDP and 20 of IPv4.
  @Test func sizesAreThoseOnTheWire() {
    #expect(ReportExchange.senderReportSize(streams: 2) == 2 * 56 + 42)
    #expect(ReportExchange.receiverReportSize(streams: 3) == 3 * 32 + 42)
    #expect(ReportExchange.receiverReportSize(streams: 100) == 1242)
  }
}
