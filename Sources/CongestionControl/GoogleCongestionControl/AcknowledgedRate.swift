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
  private var bytes: Int64 = 0
  /// Whether packets were received as they were sent, always.
  private var isInOrder = true

  package init() { packets.reserveCapacity(1024) }

  package mutating func add(sentAt sent: Int64, receivedAt received: Int64, size: Int32) {
    if let last = packets.last, sent < last.sent || received < last.received { isInOrder = false }
    packets.append(Packet(sent: sent, received: received, size: Int64(size)))
    bytes += Int64(size)
    var place = packets.count - 1
    while place > first, packets[place].received < packets[place - 1].received {
      packets.swapAt(place, place - 1)
      place -= 1
    }
    while isFirstOutside {
      latestDiscarded = max(latestDiscarded, packets[first].sent)
      bytes -= packets[first].size
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
    let oldest = packets[first]
    let newest = packets[packets.count - 1]
    let received = max(newest.received - oldest.received - excessOfLongestGap, 1_000_000)
    let receiveRate = Double(bytes - oldest.size) * 8e6 / Double(received)
    let sent = isInOrder ? (bytes, count, oldest.sent, newest.sent, newest.size) : sentInOrder()
    guard sent.1 >= Self.requiredPackets else { return receiveRate }
    let duration = max(sent.3 - sent.2, 1_000_000)
    return min(receiveRate, Double(sent.0 - sent.4) * 8e6 / Double(duration))
  }

  /// How much longer the longest pause between arrivals is than the second longest.
  private var excessOfLongestGap: Int64 {
    packets.withUnsafeBufferPointer { packets in
      var longest: Int64 = 0
      var second: Int64 = 0
      var before = packets[first].received
      for place in first + 1..<packets.count {
        let gap = packets[place].received - before
        before = packets[place].received
        second = max(second, min(gap, longest))
        longest = max(longest, gap)
      }
      return longest - second
    }
  }

  /// Bytes, packets, first and last sending, and the size of the last; without packets that were sent before another that
  /// has left the window, since those were reordered.
  private func sentInOrder() -> (Int64, Int, Int64, Int64, Int64) {
    var result: (Int64, Int, Int64, Int64, Int64) = (0, 0, .max, .min, 0)
    for packet in packets[first...] where packet.sent >= latestDiscarded {
      result.0 += packet.size
      result.1 += 1
      result.2 = min(result.2, packet.sent)
      if packet.sent > result.3 {
        result.3 = packet.sent
        result.4 = packet.size
      }
    }
    return result
  }
}
