import CongestionControl
import Quantity
import Testing

@Suite("Receive-side incoming rate")
struct IncomingRateTests {
  /// 1000 + 1000 B over the 11 ms from the first packet to the second, both included.
  @Test func theRateExistsFromTheSecondPacketOn() {
    var rate = IncomingRate()
    #expect(rate.rate(at: 0) == nil)
    rate.add(1000, at: 100)
    #expect(rate.rate(at: 110) == nil)
    rate.add(1000, at: 110)
    #expect(rate.rate(at: 110) == BitRate(bitsPerSecond: 1_454_545))
  }

  @Test func oneMillisecondIsTooShort() {
    var rate = IncomingRate()
    rate.add(1000, at: 100)
    rate.add(1000, at: 100)
    #expect(rate.rate(at: 100) == nil)
    #expect(rate.rate(at: 101) == .megabits(8))
  }

  @Test func theWindowIsAThousandMilliseconds() {
    var rate = IncomingRate()
    rate.add(500, at: 0)
    rate.add(1500, at: 500)
    #expect(rate.rate(at: 999) == .kilobits(16))
    // The first left at 1000 ms; one packet is enough for a full window.
    #expect(rate.rate(at: 1000) == .kilobits(12))
    #expect(rate.rate(at: 1499) == .kilobits(12))
    #expect(rate.rate(at: 1500) == nil)
  }

  @Test func afterSilenceTheTimeCountsFromTheNextPacket() {
    var rate = IncomingRate()
    rate.add(500, at: 0)
    rate.add(500, at: 1000)
    #expect(rate.rate(at: 1000) == nil)
    rate.add(500, at: 1019)
    #expect(rate.rate(at: 1019) == .kilobits(400))
    rate.reset()
    rate.add(500, at: 1020)
    rate.add(500, at: 1029)
    #expect(rate.rate(at: 1029) == .kilobits(800))
  }

  @Test func anEarlierArrivalCountsAsTheNewest() {
    var rate = IncomingRate()
    rate.add(500, at: 0)
    rate.add(500, at: 800)
    rate.add(500, at: 200)
    // At 1300 ms all but the first remain.
    #expect(rate.rate(at: 1300) == .kilobits(8))
  }

  /// Compares with sums over all packets, long enough for old buckets to be dropped from storage.
  @Test func agreesWithSumsOverAllPackets() {
    var rate = IncomingRate()
    var packets: [(time: Int64, size: Int64)] = []
    var time: Int64 = 0
    for index in 0..<20_000 as Range<Int64> {
      time += index * index % 7
      packets.append((time, 100 + index % 1000))
      rate.add(100 + index % 1000, at: time)
      guard index % 500 == 499 else { continue }
      let sum = packets.reduce(0) { $0 + ($1.time > time - 1000 ? $1.size : 0) }
      let expected = Double(sum) * 8
      #expect(abs(Double(rate.rate(at: time)?.bitsPerSecond ?? 0) - expected) <= 1)
    }
  }
}

@Suite("Receive-side packet groups")
struct TimestampGroupingTests {
  private static let ticks = ReceiveSideEstimator.ticksPerMillisecond

  /// Adds packets of (timestamp, arrival, processing) and returns the differences of (timestamp, arrival).
  private func deltas(_ packets: [(UInt32, Int64, Int64)]) -> [[Int64]?] {
    var grouping = TimestampGrouping(ticksPerMillisecond: Self.ticks)
    return packets.map { timestamp, arrival, now in
      grouping.add(timestamp: timestamp, arrival: arrival, now: now, size: 100).map {
        [Int64($0.sent), $0.received]
      }
    }
  }

  /// A group is 335,544 units long: 5 ms at 67,108.864 per ms, rounded down. Timestamps wrap.
  @Test(arguments: [(UInt32(335_544), false), (335_545, true)])
  func groupsAreFiveMilliseconds(length: UInt32, isGroup: Bool) {
    let first = UInt32.max - 100
    let found = deltas([
      (first &- 1_000_000, 0, 0), (first, 20, 20), (first &+ length, 40, 40), (first &+ 2_000_000, 60, 60),
    ])
    let apart: [[Int64]?] = [nil, nil, [1_000_000, 20], [Int64(length), 20]]
    let together: [[Int64]?] = [nil, nil, nil, [1_000_000 + Int64(length), 40]]
    #expect(found == (isGroup ? apart : together))
  }

  /// Rounded to the nearest millisecond: packets less than half a millisecond apart count as sent together.
  @Test(arguments: [(UInt32(33_554), false), (33_555, true)])
  func timesAreRoundedToMilliseconds(apart: UInt32, isGroup: Bool) {
    // 5.2 ms after the group's first packet and half a millisecond after its newest; no burst, as they arrive later.
    let newest: UInt32 = 1_000_000 + 330_000
    let found = deltas([
      (0, 0, 0), (1_000_000, 20, 20), (newest, 40, 40), (newest + apart, 60, 60), (3_000_000, 80, 80),
    ])
    #expect((found[3] != nil) == isGroup)
  }

  /// Packets sent 10 ms apart that arrive 4 ms apart form a burst as long as its first arrived less than 100 ms ago.
  @Test(arguments: [(Int64(99), true), (100, false)])
  func burstsAreShorterThanAHundredMilliseconds(last: Int64, isBurst: Bool) {
    var packets: [(UInt32, Int64, Int64)] = [(0, 0, 0)]
    var arrivals: [Int64] = []
    for index in 0..<24 as Range<Int64> { arrivals.append(4 * index) }
    arrivals.append(95)
    arrivals.append(last)
    for (index, arrival) in arrivals.enumerated() {
      packets.append((UInt32(index + 1) * 671_089, 1000 + arrival, 1000 + arrival))
    }
    let found = deltas(packets)
    #expect(found[..<26].allSatisfy { $0 == nil })
    #expect((found[26] == nil) == isBurst)
  }

  @Test(arguments: [(Int64(2999), true), (3000, false)])
  func aClockThreeSecondsAheadStartsAnew(jump: Int64, hasDelta: Bool) {
    let found = deltas([
      (0, 0, 0), (2_000_000, 30, 30), (4_000_000, 60 + jump, 60), (6_000_000, 90 + jump, 90),
    ])
    #expect(found[2] == [2_000_000, 30])
    #expect((found[3] != nil) == hasDelta)
  }

  /// The third packet pulls the end of its group to before the previous group; the next three find the groups out of
  /// order.
  @Test func threeReorderedGroupsStartAnew() {
    var packets: [(UInt32, Int64, Int64)] = [
      (0, 1000, 1000), (2_000_000, 1030, 1030), (4_000_000, 500, 1060),
    ]
    for index in 0..<5 as Range<Int64> {
      packets.append((UInt32(6_000_000 + 2_000_000 * index), 530 + 30 * index, 1090 + 30 * index))
    }
    // The seventh packet starts over, so the ninth completes two groups.
    let found = deltas(packets + [(16_000_000, 680, 1240)])
    let expected: [[Int64]?] = [nil, nil, nil, nil, nil, nil, nil, nil, [2_000_000, 30]]
    #expect(found == expected)
  }
}

@Suite("Receive-side sources and messages")
struct ReceiveSideMessageTests {
  @Test func sourcesLeaveWhenSilentOrRemoved() {
    var sources = VideoSources()
    sources.see(7, at: time(0))
    sources.see(8, at: time(10))
    sources.see(9, at: time(20))
    sources.see(7, at: time(30))
    sources.removeAll(before: time(20))
    #expect(sources.contains(7) && !sources.contains(8) && sources.contains(9))
    #expect(sources.count == 2)
    sources.remove(7)
    sources.remove(7)
    #expect(sources.count == 1 && !sources.isEmpty)
    sources.remove(9)
    #expect(sources.isEmpty)
  }

  /// 103 % of 10,000 is the last rate; 103 % of 10,001 exceeds it.
  @Test func aFallByThreePerCentIsSentAtOnce() {
    var throttle = REMBThrottle()
    let estimates: [(Int64, Double)] = [
      (10_300, 0), (10_001, 1), (10_000, 2), (20_000, 201.999), (20_000, 202),
    ]
    let sent = estimates.map { throttle.passes(BitRate(bitsPerSecond: $0.0), at: time($0.1)) }
    #expect(sent == [true, false, true, false, true])
  }

  @Test func messagesHaveEighteenBitsOfMantissa() {
    let coded = [0, 262_143, 262_145, 1_000_001, 1_000_003, 2_000_005].map {
      BitRate(bitsPerSecond: $0).codedAsREMB.bitsPerSecond
    }
    #expect(coded == [0, 262_143, 262_144, 1_000_000, 1_000_000, 2_000_000])
  }
}
