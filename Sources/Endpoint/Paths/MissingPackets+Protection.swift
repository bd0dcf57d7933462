package import Network
package import Transport

extension Packet {
  /// `true` for a protection packet outside the video's sequence space.
  package var isSeparateProtection: Bool { index & Packet.separateProtection != 0 }
}

extension MissingPackets {
  /// Returns the only missing packet among those that a protection packet covers; `nil` if none or several are missing.
  ///
  /// Protection packet `i` of `k` covers every `k`th packet of its group from the `i`th on [our model; libwebrtc's masks
  /// overlap].
  ///
  /// - Parameter expected: sequence number after the last packet received, which is within or before the group if the
  ///   group's end is lost.
  package func recovered(by packet: Packet, expecting expected: UInt32) -> UInt32? {
    let place = UInt32(packet.index & ~(Packet.protectionIndex | Packet.separateProtection))
    let end = packet.isSeparateProtection ? packet.sequence : packet.sequence &- place
    let members = UInt32(packet.count)
    let step = UInt32(packet.format)
    guard step > 0, place < members else { return nil }
    let first = end &- members &+ place
    var (count, last) = missing(from: first, step: step, count: members - place)
    // No later packet reveals that the end of the group is missing.
    var sequence = first
    while Int32(bitPattern: sequence &- end) < 0 {
      if Int32(bitPattern: sequence &- expected) >= 0 {
        count += 1
        last = sequence
      }
      sequence &+= step
    }
    return count == 1 ? last : nil
  }
}
