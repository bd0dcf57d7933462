/// The rate that a path delivers, from acknowledged packets (libwebrtc `robust_throughput_estimator.cc`).
///
/// A window of more than 20 packets and a second, at most 500 packets and 5 s; the lesser of the rates at which its
/// packets were sent and received. The longest pause between arrivals counts as long as the second longest, so that a
/// single hiccup does not matter.
package struct AcknowledgedRate: Sendable {
  private static let windowPackets = 20
  private static let greatestPackets = 500
  private static let leastDuration: Int64 = 1_000_000_000
  private static let greatestDuration: Int64 = 5_000_000_000
  private static let requiredPackets = 10

  private struct Packet {
    var sent: Int64
    var received: Int64
    var size: Int64
  }

  private var packets: [Packet] = []
  private var first = 0
  private var latestDiscarded = Int64.min

  package init() { packets.reserveCapacity(1024) }

  package mutating func add(sentAt sent: Int64, receivedAt received: Int64, size: Int32) {
    packets.append(Packet(sent: sent, received: received, size: Int64(size)))
    var place = packets.count - 1
    while place > first, packets[place].received < packets[place - 1].received {
      packets.swapAt(place, place - 1)
      place -= 1
    }
    while isFirstOutside {
      latestDiscarded = max(latestDiscarded, packets[first].sent)
      first += 1
    }
    if first >= 512 {
      packets.removeFirst(first)
      first = 0
    }
  }

  private var isFirstOutside: Bool {
    let count = packets.count - first
    guard count > 0 else { return false }
    if count > Self.greatestPackets { return true }
    let duration = packets[packets.count - 1].received - packets[first].received
    return duration > Self.greatestDuration
      || count > Self.windowPackets && duration > Self.leastDuration
  }

  /// [kbit/s]; `nil` with fewer than ten packets.
  package var rate: Double? {
    let count = packets.count - first
    guard count >= Self.requiredPackets else { return nil }
    var size: Int64 = 0
    var sentSize: Int64 = 0
    var sentCount = 0
    var firstSent = Int64.max
    var lastSent = Int64.min
    var lastSentSize: Int64 = 0
    var longest: Int64 = 0
    var second: Int64 = 0
    var before = packets[first].received
    for place in first..<packets.count {
      let packet = packets[place]
      let gap = packet.received - before
      before = packet.received
      if gap > longest {
        second = longest
        longest = gap
      } else if gap > second {
        second = gap
      }
      size += packet.size
      // One that was sent before another that has left the window was reordered.
      guard packet.sent >= latestDiscarded else { continue }
      sentCount += 1
      sentSize += packet.size
      firstSent = min(firstSent, packet.sent)
      if packet.sent > lastSent {
        lastSent = packet.sent
        lastSentSize = packet.size
      }
    }
    let received = max(before - packets[first].received - longest + second, 1_000_000)
    let receiveRate = Double(size - packets[first].size) * 8e6 / Double(received)
    guard sentCount >= Self.requiredPackets else { return receiveRate }
    let sent = max(lastSent - firstSent, 1_000_000)
    return min(receiveRate, Double(sentSize - lastSentSize) * 8e6 / Double(sent))
  }
}
