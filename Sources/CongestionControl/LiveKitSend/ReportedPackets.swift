package import Quantity

/// Transport feedback on the last packets sent (LiveKit's `pkg/sfu/bwe/sendsidebwe/packet_tracker.go`).
package struct ReportedPackets: Sendable {
  private let header: Int64
  private let history: Int64
  private var firstSentAt: SimTime?
  private var lastSent: Int64 = -1
  /// Reported arrivals, one bit each by sequence number modulo the history.
  private var acknowledged: [UInt64]
  /// Reported losses, one bit each by sequence number modulo the history.
  private var lost: [UInt64]
  private var previous: (sentAt: SimTime, receivedAt: SimTime)?
  /// Highest sequence number reported, acknowledged or lost.
  package private(set) var lastReported: Int64 = -1

  /// - Parameters:
  ///   - history: number of packets that are stored.
  ///   - header: bytes around an RTP packet.
  package init(history: Int, header: ByteCount) {
    self.history = Int64(max(history, 1))
    self.header = header.bytes
    acknowledged = Array(repeating: 0, count: (max(history, 1) + 63) / 64)
    lost = acknowledged
  }

  package mutating func send(_ packet: SentPacket) {
    if firstSentAt == nil { firstSentAt = packet.sentAt }
    lastSent = packet.sequence
    let (word, bit) = place(packet.sequence)
    acknowledged[word] &= ~bit
    lost[word] &= ~bit
  }

  /// Records a packet's fate; `nil` if it is already known, or if the packet is too old or the first one.
  package mutating func report(_ result: PacketResult) -> ReportedPacket? {
    let packet = result.packet
    lastReported = max(lastReported, packet.sequence)
    guard packet.sequence <= lastSent, packet.sequence > lastSent - history else { return nil }
    // Times count from the first packet's, and zero stands for none.
    guard packet.sentAt != firstSentAt else { return nil }
    let (word, bit) = place(packet.sequence)
    guard acknowledged[word] & bit == 0 else { return nil }
    let wasLost = lost[word] & bit != 0
    var reported = ReportedPacket(
      sequence: packet.sequence, sentAt: packet.sentAt, size: max(0, Int64(packet.size) - header),
      fate: wasLost ? .recovered : .acknowledged)
    guard let receivedAt = result.receivedAt else {
      if wasLost { return nil }
      lost[word] |= bit
      reported.fate = .lost
      return reported
    }
    acknowledged[word] |= bit
    if let previous {
      reported.sent = packet.sentAt - previous.sentAt
      reported.received = receivedAt - previous.receivedAt
    }
    previous = (packet.sentAt, receivedAt)
    return reported
  }

  private func place(_ sequence: Int64) -> (word: Int, bit: UInt64) {
    let slot = Int(sequence % history)
    return (slot / 64, 1 << UInt64(slot % 64))
  }
}
