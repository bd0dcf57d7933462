package import Quantity

/// Sent packet, as seen by a congestion controller.
package struct SentPacket: BitwiseCopyable, Hashable, Sendable {
  /// Transport-wide sequence number, unwrapped, from 0.
  package var sequence: Int64
  /// Time when the pacer sent it.
  package var sentAt: SimTime
  /// Size on the wire, IP header included [byte], as libwebrtc counts with transport feedback.
  package var size: Int32
  /// Identifier of its probe cluster; -1 for none.
  package var probeCluster: Int32

  @inlinable
  package init(sequence: Int64, sentAt: SimTime, size: Int32, probeCluster: Int32 = -1) {
    self.sequence = sequence
    self.sentAt = sentAt
    self.size = size
    self.probeCluster = probeCluster
  }
}

/// Transport-wide feedback on one packet (draft-holmer-rmcat-transport-wide-cc-extensions-01).
package struct PacketResult: BitwiseCopyable, Hashable, Sendable {
  package var packet: SentPacket
  /// Arrival time, in eight bytes where an optional time takes sixteen.
  @usableFromInline let arrival: Deadline

  @inlinable
  package init(packet: SentPacket, receivedAt: SimTime?) {
    self.packet = packet
    arrival = receivedAt.map(Deadline.init) ?? .never
  }

  /// Arrival time by the receiver's clock; `nil` if it had not arrived when a later packet was reported.
  @inlinable
  package var receivedAt: SimTime? { arrival.time }

  @inlinable
  package var isReceived: Bool { arrival != .never }
}
