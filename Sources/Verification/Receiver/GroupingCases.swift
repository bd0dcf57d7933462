import CongestionControl
import Quantity

/// libwebrtc's unit tests of the receive side's packet groups.
enum GroupingCases {
  private static let file = "libwebrtc inter_arrival_unittest.cc"

  /// A packet: send time [us], arrival and processing time [ms], size [byte].
  private struct Packet {
    var sent: Int64
    var arrival: Int64
    var now: Int64
    var size: Int64
  }

  /// Differences between two groups: send time [us], arrival time [ms], size [byte].
  private struct Difference {
    var sent: Int64
    var received: Int64
    var size: Int64
  }

  /// Returns ten packets, sent within 0.2 ms, that arrive 6 ms apart.
  private static func pairs(from arrival: Int64) -> [Packet] {
    (0..<10).map { packet(5040 + 20 * $0, arrival + 6 * $0, 1) }
  }

  private static let burst = (1...10).map { packet(5020 + 30_000 * $0, 100 + 5 * $0, 1) }

  static let all: [VerificationCase] = [
    grouping(
      "group-of-each", "four packets 5.02 ms apart",
      [packet(0, 17, 1), packet(5020, 23, 2), packet(10_040, 29, 1), packet(15_060, 35, 2)],
      [nil, nil, .init(sent: 5020, received: 6, size: 1), .init(sent: 5020, received: 6, size: -1)]),
    grouping(
      "group-of-many", "packets within 0.2 ms that arrive 6 ms apart",
      [packet(0, 17, 1), packet(5020, 28, 2)] + pairs(from: 29) + [packet(10_040, 500, 100)],
      Array(repeating: nil, count: 12) + [.init(sent: 5220, received: 66, size: 11)]),
    grouping(
      "group-reordered", "the same, and one sent before the group that arrives after it",
      [packet(0, 17, 1), packet(5020, 28, 2)] + pairs(from: 34) + [
        packet(0, 281, 100), packet(10_040, 500, 100),
      ],
      Array(repeating: nil, count: 13) + [.init(sent: 5220, received: 71, size: 11)]),
    grouping(
      "group-burst", "ten packets 30 ms apart that arrive 5 ms apart",
      [packet(0, 17, 1)] + burst + [packet(335_020, 156, 100)],
      Array(repeating: nil, count: 11) + [.init(sent: 305_020, received: 133, size: 9)]),
    grouping(
      "group-no-burst", "two packets 30 ms apart that arrive 6 ms apart",
      [packet(0, 17, 1), packet(5020, 28, 2), packet(35_020, 34, 100)],
      [nil, nil, .init(sent: 5020, received: 11, size: 1)]),
    grouping(
      "group-clock-ahead", "packets 30 ms apart whose arrival clock jumps by +3 s",
      (0..<7).map { jumping($0, from: 2, by: 3000) },
      [nil, nil] + [.init(sent: 30_000, received: 30, size: 0), nil, nil, nil]
        + [.init(sent: 30_000, received: 30, size: 0)]),
    grouping(
      "group-clock-behind", "packets 30 ms apart whose arrival clock jumps by -1 s",
      (0..<10).map { jumping($0, from: 3, by: -1000) },
      [nil, nil, .init(sent: 30_000, received: 30, size: 0)] + Array(repeating: nil, count: 6)
        + [.init(sent: 30_000, received: 30, size: 0)]),
  ]

  private static func packet(_ sent: Int64, _ arrival: Int64, _ size: Int64) -> Packet {
    Packet(sent: sent, arrival: arrival, now: arrival, size: size)
  }

  private static func jumping(_ index: Int64, from first: Int64, by jump: Int64) -> Packet {
    let regular = 30 * index + 5000
    return Packet(
      sent: 30_000 * index, arrival: regular + (index >= first ? jump : 0), now: regular, size: 1000)
  }

  private static func grouping(
    _ name: String, _ setup: String, _ packets: [Packet], _ published: [Difference?]
  ) -> VerificationCase {
    VerificationCase(name: "remb-\(name)", setup: setup, source: file) {
      var grouping = TimestampGrouping(ticksPerMillisecond: ReceiveSideEstimator.ticksPerMillisecond)
      let found = packets.map { packet in
        grouping.add(
          timestamp: ReceivedPackets.sendTime(packet.sent, unitsPerSecond: 1_000_000) << 8,
          arrival: packet.arrival, now: packet.now, size: packet.size)
      }
      return VerificationOutcome(checks: [
        VerificationCheck(
          "differences of send time [us], arrival [ms] and size [B]",
          published: text(published.map { $0.map { ($0.sent, $0.received, $0.size) } }),
          simulated: text(found.map { $0.map { (microseconds($0.sent), $0.received, $0.size) } }),
          tolerance: "±4 us", holds: zip(found, published).allSatisfy { agree($0, $1) })
      ])
    }
  }

  private static func microseconds(_ ticks: UInt32) -> Int64 { (Int64(ticks) * 1_000_000 + 1 << 25) >> 26 }

  /// Compares differences; send times are exact to one unit of their 24 bits.
  private static func agree(_ found: TimestampGrouping.Delta?, _ published: Difference?) -> Bool {
    guard let found, let published else { return found == nil && published == nil }
    let sent = Int64(ReceivedPackets.sendTime(published.sent, unitsPerSecond: 1_000_000))
    return abs(Int64(found.sent >> 8) - sent) <= 1 && found.received == published.received
      && found.size == published.size
  }

  private static func text(_ differences: [(Int64, Int64, Int64)?]) -> String {
    var parts: [String] = []
    var none = 0
    for difference in differences {
      guard let (sent, received, size) = difference else {
        none += 1
        continue
      }
      if none > 0 { parts.append("\(none) x none") }
      none = 0
      parts.append("\(sent) \(received) \(size)")
    }
    if none > 0 { parts.append("\(none) x none") }
    return parts.joined(separator: "; ")
  }
}
