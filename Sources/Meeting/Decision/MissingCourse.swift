import Quantity
import Transport

/// The packets that one tile's viewer is missing, with when each was noticed and requested.
struct MissingCourse {
  private struct Packet {
    let sequence: UInt32
    var repair: Freeze.Repair
  }

  /// Missing packets, in order of sequence number.
  private var packets: [Packet] = []
  /// Previously missing packet that arrived in the last event.
  private(set) var arrived: Freeze.Repair?

  /// The first packet that is still missing.
  var first: Freeze.Repair? { packets.first?.repair }

  /// Follows the viewer's list of missing packets after an event.
  ///
  /// - Parameter isRepaired: `true` if the event was the arrival of a missing packet. If it belongs to a key frame,
  ///   older packets are dropped from the list with it, so the arrived packet is the last of those removed.
  mutating func follow(_ missing: MissingPackets, isRepaired: Bool, at now: SimTime) {
    arrived = nil
    guard !packets.isEmpty || !missing.isEmpty else { return }
    var kept: [Packet] = []
    var known = packets[...]
    for index in 0..<missing.count {
      guard let entry = missing[index] else { break }
      while let old = known.first, old.sequence != entry.sequence,
        Int32(bitPattern: old.sequence &- entry.sequence) < 0
      {
        arrived = old.repair
        known.removeFirst()
      }
      var packet = Packet(sequence: entry.sequence, repair: Freeze.Repair(missingAt: now))
      if let old = known.first, old.sequence == entry.sequence {
        packet = old
        known.removeFirst()
      }
      if entry.requests > packet.repair.requests {
        packet.repair.asked = (packet.repair.asked?.lowerBound ?? now)...now
        packet.repair.requests = entry.requests
      }
      kept.append(packet)
    }
    if let last = known.last { arrived = last.repair }
    packets = kept
    if isRepaired { arrived?.arrivedAt = now } else { arrived = nil }
  }
}
