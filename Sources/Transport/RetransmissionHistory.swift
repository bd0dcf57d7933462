package import Network
package import Quantity

/// Sent packets kept for retransmission, by sequence number.
///
/// Follows libwebrtc's `modules/rtp_rtcp/source/rtp_packet_history.cc`: a packet is kept for one second or three round
/// trips, whichever is longer, and for three times that while fewer than 600 packets followed it. Ages count from
/// capture; the capacity is about three seconds at the stream's full rate.
package struct RetransmissionHistory: BitwiseCopyable {
  private static let minimumAge: Int64 = 1_000_000_000
  private static let minimumPackets: UInt32 = 600

  private struct Entry: BitwiseCopyable {
    var packet: Packet
    /// Time of the last retransmission [ns].
    var retransmittedAt: Int64
  }

  private var entries: UnsafeMutablePointer<Entry>?
  private var newest: UInt32 = 0
  private let mask: UInt32

  /// - Parameters:
  ///   - rate: maximum payload rate of the stream.
  ///   - framesPerSecond: its maximum frame rate; a frame has at least one packet.
  package init(rate: BitRate, framesPerSecond: Double) {
    let packets = 3 * (Double(rate.bitsPerSecond) / 8 / 1100 + framesPerSecond)
    var capacity: UInt32 = 32
    while Double(capacity) < packets, capacity < 4096 { capacity *= 2 }
    mask = capacity - 1
  }

  package func deallocate() { entries?.deallocate() }

  package mutating func append(_ packet: Packet) {
    let sequence = packet.sequence
    // A packet recovered upstream arrives after its successors.
    if entries == nil || Int32(bitPattern: sequence &- newest) > 0 { newest = sequence }
    let entries = entries ?? allocate()
    (entries + Int(sequence & mask)).initialize(
      to: Entry(packet: packet, retransmittedAt: .min / 2))
  }

  /// The packet with a sequence number, if it is still kept and was not retransmitted within the last round trip.
  package mutating func take(_ sequence: UInt32, at now: Int64, roundTrip: Int64) -> Packet? {
    guard let entries, newest &- sequence <= mask else { return nil }
    let entry = entries + Int(sequence & mask)
    guard entry.pointee.packet.sequence == sequence, now - entry.pointee.retransmittedAt >= roundTrip else {
      return nil
    }
    let age = now - entry.pointee.packet.sentAt.nanoseconds
    let least = max(Self.minimumAge, 3 * roundTrip)
    guard age < (newest &- sequence < Self.minimumPackets ? 3 * least : least) else { return nil }
    entry.pointee.retransmittedAt = now
    return entry.pointee.packet
  }

  private mutating func allocate() -> UnsafeMutablePointer<Entry> {
    let fresh = UnsafeMutablePointer<Entry>.allocate(capacity: Int(mask) + 1)
    // Empty entries have a sequence number that never maps to their slot.
    for index in 0...Int(mask) {
      (fresh + index).initialize(
        to: Entry(packet: Packet(sentAt: .zero, size: 0, sequence: UInt32(index) ^ 1), retransmittedAt: 0))
    }
    entries = fresh
    return fresh
  }
}
