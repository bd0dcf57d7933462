package import Network
package import Quantity

/// Packets that a sender can send again, by their sequence number.
///
/// After libwebrtc's `modules/rtp_rtcp/source/rtp_packet_history.cc`: a packet counts for a second or three round trips,
/// and for three times that while fewer than 600 came after it. Ages are from capture on; there is room for some three
/// seconds of the stream's full rate.
package struct RetransmissionHistory: BitwiseCopyable {
  private static let leastAge: Int64 = 1_000_000_000
  private static let leastPackets: UInt32 = 600

  private struct Entry: BitwiseCopyable {
    var packet: Packet
    /// When it was last sent again [ns].
    var repeatedAt: Int64
  }

  private var entries: UnsafeMutablePointer<Entry>?
  private var newest: UInt32 = 0
  private let mask: UInt32

  /// - Parameters:
  ///   - rate: full payload rate of the stream.
  ///   - framesPerSecond: its full frame rate: a frame has a packet at least.
  package init(rate: BitRate, framesPerSecond: Double) {
    let packets = 3 * (Double(rate.bitsPerSecond) / 8 / 1100 + framesPerSecond)
    var capacity: UInt32 = 32
    while Double(capacity) < packets, capacity < 4096 { capacity *= 2 }
    mask = capacity - 1
  }

  package func deallocate() { entries?.deallocate() }

  package mutating func append(_ packet: Packet) {
    let sequence = packet.sequence
    // A packet that was repaired on its way here comes after its successors.
    if entries == nil || Int32(bitPattern: sequence &- newest) > 0 { newest = sequence }
    let entries = entries ?? allocate()
    (entries + Int(sequence & mask)).initialize(
      to: Entry(packet: packet, repeatedAt: .min / 2))
  }

  /// The packet with a number, if it is still there and was not sent again within the last round trip.
  package mutating func take(_ sequence: UInt32, at now: Int64, roundTrip: Int64) -> Packet? {
    guard let entries, newest &- sequence <= mask else { return nil }
    let entry = entries + Int(sequence & mask)
    guard entry.pointee.packet.sequence == sequence, now - entry.pointee.repeatedAt >= roundTrip else {
      return nil
    }
    let age = now - entry.pointee.packet.sentAt.nanoseconds
    let least = max(Self.leastAge, 3 * roundTrip)
    guard age < (newest &- sequence < Self.leastPackets ? 3 * least : least) else { return nil }
    entry.pointee.repeatedAt = now
    return entry.pointee.packet
  }

  private mutating func allocate() -> UnsafeMutablePointer<Entry> {
    let fresh = UnsafeMutablePointer<Entry>.allocate(capacity: Int(mask) + 1)
    // A number that no entry's place can have marks the empty ones.
    for place in 0...Int(mask) {
      (fresh + place).initialize(
        to: Entry(packet: Packet(sentAt: .zero, size: 0, sequence: UInt32(place) ^ 1), repeatedAt: 0))
    }
    entries = fresh
    return fresh
  }
}
