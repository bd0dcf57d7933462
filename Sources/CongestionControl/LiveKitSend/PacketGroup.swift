package import Quantity

/// Reported packet with its differences from the one acknowledged before it.
package struct ReportedPacket: BitwiseCopyable, Sendable {
  package enum Fate: UInt8, BitwiseCopyable, Sendable {
    case acknowledged
    /// Acknowledged after it had been reported as lost.
    case recovered
    case lost
  }

  package var sequence: Int64
  package var sentAt: SimTime
  /// Size of the RTP packet [byte].
  package var size: Int64
  package var fate: Fate
  /// Difference in send time from the packet acknowledged before.
  package var sent: SimDuration
  /// Difference in arrival time from the packet acknowledged before.
  package var received: SimDuration

  package init(
    sequence: Int64, sentAt: SimTime, size: Int64, fate: Fate, sent: SimDuration = .zero,
    received: SimDuration = .zero
  ) {
    self.sequence = sequence
    self.sentAt = sentAt
    self.size = size
    self.fate = fate
    self.sent = sent
    self.received = received
  }
}

/// Consecutive packets, up to a number or a span of time (LiveKit's `pkg/sfu/bwe/sendsidebwe/packet_group.go`).
package struct PacketGroup: BitwiseCopyable, Sendable {
  package enum Admission: Sendable {
    case added
    /// The group is complete; later packets go to the next one.
    case complete
    /// The packet was sent before the group's first.
    case old
  }

  /// Size of a group.
  package struct Bounds: BitwiseCopyable, Hashable, Sendable {
    /// Number of acknowledged packets.
    package var packets: Int
    package var duration: SimDuration

    package init(packets: Int, duration: SimDuration) {
      self.packets = packets
      self.duration = duration
    }
  }

  private let bounds: Bounds
  /// Queuing delay at the end of the previous group.
  private let inherited: SimDuration
  private var firstSequence = Int64.max
  private var lastSequence = Int64.min
  package private(set) var traffic = TrafficStatistics()
  package private(set) var isFinal = false

  package init(_ bounds: Bounds, inherited: SimDuration = .zero) {
    self.bounds = bounds
    self.inherited = inherited
  }

  /// Queuing delay at the end of the group, carried over from group to group.
  package var queuing: SimDuration { max(.zero, inherited + traffic.arrivalTime - traffic.sendTime) }

  /// Adds a packet, unless it belongs to an earlier or a later group.
  package mutating func add(_ packet: ReportedPacket) -> Admission {
    if isFinal, packet.sequence > lastSequence { return .complete }
    // A group without a packet has no first one yet.
    if firstSequence <= lastSequence, packet.sequence < firstSequence { return .old }
    if packet.fate == .recovered, packet.sequence <= lastSequence { traffic.recover() }
    firstSequence = min(firstSequence, packet.sequence)
    lastSequence = max(lastSequence, packet.sequence)
    guard packet.fate != .lost else {
      traffic.lose()
      return .added
    }
    traffic.acknowledge(
      sentAt: packet.sentAt, size: packet.size, sent: packet.sent, received: packet.received)
    let isLong = traffic.began.map { packet.sentAt - $0 > bounds.duration } ?? false
    if traffic.acknowledged >= bounds.packets || isLong {
      isFinal = true
    }
    return .added
  }
}
