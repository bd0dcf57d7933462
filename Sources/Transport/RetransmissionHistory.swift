package import Network
import Quantity

/// Packets that a sender can send again, by their sequence number (libwebrtc `modules/rtp_rtcp/source/
/// rtp_packet_history.cc` keeps a second or three round trips; here the last ``limit`` packets of a stream: 1.8 s of
/// 2.5 Mbit/s, more of less).
package struct RetransmissionHistory: BitwiseCopyable {
  package static let limit = 512

  private struct Entry: BitwiseCopyable {
    var packet: Packet
    /// When it was last sent again [ns].
    var repeatedAt: Int64
  }

  private var entries: UnsafeMutablePointer<Entry>?
  private var newest: UInt32 = 0

  package init() {}

  package func deallocate() { entries?.deallocate() }

  package mutating func append(_ packet: Packet) {
    let entries = entries ?? allocate()
    let sequence = packet.sequence
    (entries + Int(sequence & UInt32(Self.limit - 1))).initialize(
      to: Entry(packet: packet, repeatedAt: .min / 2))
    newest = sequence
  }

  /// The packet with a number, if it is still there and was not sent again within the last round trip.
  package mutating func take(_ sequence: UInt32, at now: Int64, roundTrip: Int64) -> Packet? {
    guard let entries, newest &- sequence < UInt32(Self.limit) else { return nil }
    let entry = entries + Int(sequence & UInt32(Self.limit - 1))
    guard entry.pointee.packet.sequence == sequence, now - entry.pointee.repeatedAt >= roundTrip else {
      return nil
    }
    entry.pointee.repeatedAt = now
    return entry.pointee.packet
  }

  /// A recent packet whose payload may serve as padding.
  package var paddingCandidate: Packet? {
    guard let entries else { return nil }
    return (entries + Int(newest & UInt32(Self.limit - 1))).pointee.packet
  }

  private mutating func allocate() -> UnsafeMutablePointer<Entry> {
    let fresh = UnsafeMutablePointer<Entry>.allocate(capacity: Self.limit)
    // A number that no entry's place can have marks the empty ones.
    for place in 0..<Self.limit {
      (fresh + place).initialize(
        to: Entry(packet: Packet(sentAt: .zero, size: 0, sequence: UInt32(place) ^ 1), repeatedAt: 0))
    }
    entries = fresh
    return fresh
  }
}
