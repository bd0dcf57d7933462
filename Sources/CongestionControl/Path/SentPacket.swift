package import Quantity

/// A packet that left a pacer, as a congestion controller sees it.
package struct SentPacket: BitwiseCopyable, Hashable, Sendable {
  /// Transport-wide sequence number, from 0 without wrapping.
  package var sequence: Int64
  /// When it left the pacer.
  package var sentAt: SimTime
  /// Size on the wire, IP header included [byte]: libwebrtc counts it so when transport feedback is on.
  package var size: Int32
  /// The probe cluster that it belongs to; -1 for none.
  package var probeCluster: Int32

  @inlinable
  package init(sequence: Int64, sentAt: SimTime, size: Int32, probeCluster: Int32 = -1) {
    self.sequence = sequence
    self.sentAt = sentAt
    self.size = size
    self.probeCluster = probeCluster
  }
}

/// What transport-wide feedback says of one packet (draft-holmer-rmcat-transport-wide-cc-extensions-01).
package struct PacketResult: BitwiseCopyable, Hashable, Sendable {
  package var packet: SentPacket
  /// When it reached the receiver, by the receiver's clock; ``Quantity/SimTime/distantFuture`` for one that had not
  /// come when a later one was reported.
  package var receivedAt: SimTime

  @inlinable
  package init(packet: SentPacket, receivedAt: SimTime) {
    self.packet = packet
    self.receivedAt = receivedAt
  }

  @inlinable
  package var isReceived: Bool { receivedAt != .distantFuture }
}
