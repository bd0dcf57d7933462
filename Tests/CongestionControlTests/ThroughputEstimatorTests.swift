import CongestionControl
import Quantity
import Testing

@Suite("Acknowledged rate")
struct ThroughputEstimatorTests {
  /// Packets of 1000 B sent every 10 ms that arrive with the given extra gaps (index: extra milliseconds).
  private func arrivals(_ count: Int, gaps: [Int: Double] = [:], spacing: Double = 10) -> [PacketResult] {
    var at = 500.0
    return (0..<count).map { index in
      if index > 0 { at += spacing + (gaps[index] ?? 0) }
      return received(Int64(index), sent: Double(index) * 10, at: at, size: 1000)
    }
  }

  private func rate(_ packets: [PacketResult]) -> Int64? {
    var estimator = ThroughputEstimator()
    estimator.add(packets)
    return estimator.rate?.bitsPerSecond
  }

  @Test func tenPacketsGiveARate() {
    #expect(rate(arrivals(9)) == nil)
    // Nine intervals of 10 ms, nine packets: 800 kbit/s.
    #expect(rate(arrivals(10)) == 800_000)
  }

  @Test func theLesserOfSendAndReceiveRate() {
    #expect(rate(arrivals(30, spacing: 20)) == 400_000)
    #expect(rate(arrivals(30, spacing: 5)) == 800_000)
  }

  @Test func theLargestGapCountsAsTheSecondLargest() {
    // 29 packets in 490 ms would be 473 kbit/s; the gap of 210 ms counts as 10 ms.
    #expect(rate(arrivals(30, gaps: [15: 200])) == 800_000)
    // Gaps of 210 and 110 ms: 590 - 210 + 110 = 490 ms.
    #expect(rate(arrivals(30, gaps: [10: 200, 20: 100])) == 473_469)
  }

  @Test func theWindowSpansASecondAndTwentyPackets() {
    // At 100 packets/s the last second counts: 400 kbit/s, whatever came before.
    var estimator = ThroughputEstimator()
    estimator.add(arrivals(200))
    let slow = (0..<120).map {
      received(Int64(200 + $0), sent: 2000 + Double($0) * 20, at: 2600 + Double($0) * 20, size: 1000)
    }
    estimator.add(slow)
    #expect(estimator.rate?.bitsPerSecond == 400_000)
    // At 10 packets/s it takes 21 packets to have more than 20: 2 s.
    var slower = ThroughputEstimator()
    slower.add(
      (0..<100).map { received(Int64($0), sent: Double($0) * 100, at: Double($0) * 100, size: 1000) })
    #expect(slower.rate?.bitsPerSecond == 80_000)
  }

  @Test func lostPacketsDoNotCount() {
    let packets = (0..<40).map { index in
      let sent = Double(index) * 10
      return index % 2 == 0
        ? received(Int64(index), sent: sent, at: sent + 50, size: 1000)
        : lost(Int64(index), sent: sent, size: 1000)
    }
    #expect(rate(packets) == 400_000)
  }

  @Test func aClockThatFallsBackStartsTheWindowAnew() {
    var estimator = ThroughputEstimator()
    estimator.add(arrivals(100))
    let later = (0..<10).map {
      received(Int64(100 + $0), sent: 1000 + Double($0) * 10, at: -30_000 + Double($0) * 40, size: 1000)
    }
    estimator.add([later[0]])
    #expect(estimator.rate == nil)
    estimator.add(later)
    #expect(estimator.rate?.bitsPerSecond == 200_000)
  }

  @Test func aPacketFromBeforeTheWindowDoesNotStretchIt() {
    var estimator = ThroughputEstimator()
    estimator.add(arrivals(300))
    // Sent at 0.5 s but arrived last: its 1000 B count as received, not as sent.
    estimator.add([received(1000, sent: 500, at: 3500, size: 1000)])
    #expect(estimator.rate.map { abs($0.bitsPerSecond - 800_000) < 20_000 } == true)
  }
}
