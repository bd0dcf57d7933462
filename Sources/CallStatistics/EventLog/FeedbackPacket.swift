/// RTCP packet contents that concern the path: transport-wide feedback
/// (draft-holmer-rmcat-transport-wide-cc-extensions-01), and sender and receiver reports (RFC 3550).
struct FeedbackPacket {
  /// Receiver's report on a stream.
  struct Report {
    var ssrc: UInt32
    /// Cumulative number of packets lost.
    var lost: Int
    /// Middle 32 bits of the NTP time in the last sender report, and the time since it arrived [1/65536 s].
    var lastReport: UInt32
    var delay: UInt32
  }

  /// Transport-wide sequence numbers in order, with flags for those that arrived.
  private(set) var arrivals: [(sequence: UInt16, isReceived: Bool)] = []
  private(set) var reports: [Report] = []
  /// Middle 32 bits of the NTP time of a sender report in the packet.
  private(set) var sent: UInt32?

  /// Reads a compound packet, as far as it is complete.
  init(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while rest.count >= 8, rest[rest.startIndex] >> 6 == 2 {
      let start = rest.startIndex
      let length = (Int(Self.number(rest, start + 2, 2)) + 1) * 4
      guard length <= rest.count else { return }
      let packet = rest[start..<start + length]
      let count = Int(packet[start] & 0x1f)
      switch (packet[start + 1], count) {
      case (200, _):
        if length >= 28 { sent = UInt32(truncatingIfNeeded: Self.number(packet, start + 10, 4)) }
        addReports(packet, at: start + 28, count)
      case (201, _): addReports(packet, at: start + 8, count)
      case (205, 15): addArrivals(packet)
      default: break
      }
      rest = rest[(start + length)...]
    }
  }

  private mutating func addReports(_ packet: ArraySlice<UInt8>, at start: Int, _ count: Int) {
    for place in 0..<count {
      let from = start + place * 24
      guard from + 24 <= packet.endIndex else { return }
      let lost = Int(Self.number(packet, from + 5, 3))
      reports.append(
        Report(
          ssrc: UInt32(Self.number(packet, from, 4)), lost: lost < 1 << 23 ? lost : lost - 1 << 24,
          lastReport: UInt32(Self.number(packet, from + 16, 4)),
          delay: UInt32(Self.number(packet, from + 20, 4))))
    }
  }

  private mutating func addArrivals(_ packet: ArraySlice<UInt8>) {
    guard packet.count >= 20 else { return }
    let start = packet.startIndex
    var sequence = UInt16(Self.number(packet, start + 12, 2))
    var left = Int(Self.number(packet, start + 14, 2))
    var place = start + 20
    func add(_ count: Int, _ symbol: (Int) -> Int) {
      for index in 0..<min(count, left) {
        // Symbols 1 and 2 are arrivals with a small and a large time delta.
        arrivals.append((sequence, (1...2).contains(symbol(index))))
        sequence &+= 1
      }
      left -= min(count, left)
    }
    while left > 0, place + 2 <= packet.endIndex {
      let chunk = Int(Self.number(packet, place, 2))
      place += 2
      if chunk >> 15 == 0 {
        add(chunk & 0x1fff) { _ in chunk >> 13 & 3 }
      } else if chunk >> 14 & 1 == 0 {
        add(14) { chunk >> (13 - $0) & 1 }
      } else {
        add(7) { chunk >> (12 - 2 * $0) & 3 }
      }
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>, _ place: Int, _ count: Int) -> UInt64 {
    bytes[place..<place + count].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
