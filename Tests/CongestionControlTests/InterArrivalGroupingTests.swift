import CongestionControl
import Quantity
import Testing

@Suite("Inter-arrival groups")
struct InterArrivalGroupingTests {
  /// Adds packets of (sent, received) in milliseconds and returns the deltas in milliseconds.
  private func deltas(_ packets: [(Double, Double)], reportedLater: Double = 0) -> [[Double]] {
    var grouping = InterArrivalGrouping()
    return packets.compactMap { sent, received in
      grouping.add(sentAt: time(sent), receivedAt: time(received), at: time(sent + reportedLater)).map {
        [Double($0.sent.nanoseconds) / 1e6, Double($0.received.nanoseconds) / 1e6]
      }
    }
  }

  @Test func packetsWithinFiveMillisecondsAreOneGroup() {
    // Groups end at send times 5, 20 and 41 ms; the start of the fourth completes the third.
    let found = deltas([(0, 50), (5, 58), (20, 72), (41, 99), (60, 120)])
    #expect(found == [[15, 14], [21, 27]])
  }

  @Test func aBurstAtArrivalJoinsItsGroup() {
    // The third packet left 10 ms after the second but arrived 4 ms after it: both had waited in a queue.
    #expect(deltas([(0, 50), (10, 80), (20, 84), (40, 110), (60, 130)]) == [[20, 34], [20, 26]])
    // Beyond 5 ms it forms its own group.
    #expect(deltas([(0, 50), (10, 80), (20, 86), (40, 110)]) == [[10, 30], [10, 6]])
  }

  @Test func aBurstSpansLessThanAHundredMilliseconds() {
    // Packets sent 10 ms apart arrive 4 ms apart: 25 of them span 100 ms, so the 26th starts a group.
    var packets: [(Double, Double)] = [(0, 500)]
    for index in 1...30 { packets.append((Double(index) * 10, 600 + Double(index - 1) * 4)) }
    // The first delta appears with the packet that ended the burst of 25.
    #expect(deltas(packets) == [[250, 196]])
  }

  @Test func threeGroupsOutOfOrderStartAnew() {
    // The third packet arrives half a second before the second and pulls the end of its group to before that of the
    // first: the next three packets each find the groups out of order; after that, two groups are needed.
    let packets = [
      (0.0, 1000.0), (20, 1020), (40, 500), (60, 530), (80, 560), (100, 590), (120, 620), (140, 640),
      (160, 665),
    ]
    #expect(deltas(packets) == [[20, 20]])
  }

  @Test func aJumpOfTheReceiversClockStartsAnew() {
    var grouping = InterArrivalGrouping()
    var found = 0
    for index in 0..<6 {
      let sent = Double(index) * 20
      let jump: Double = index >= 3 ? 3500 : 0
      if grouping.add(sentAt: time(sent), receivedAt: time(sent + jump), at: time(sent)) != nil { found += 1 }
    }
    // Only the delta before the jump; after the reset at the fifth packet, the sixth starts over.
    #expect(found == 2)
  }
}
