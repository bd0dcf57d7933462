package import Endpoint
package import Network
import Plan
package import SimulationKernel
import Transport

/// Forwarding of forward error correction from publishers to viewers.
extension Forwarder {
  /// Forwards a protection packet that shares its video's stream, and finds the packet that it recovers.
  ///
  /// Protection packet `i` of `k` covers every `k`th packet of its group from the `i`th on [our model; libwebrtc's masks
  /// overlap].
  ///
  /// - Returns: the sequence number of the recovered packet; `nil` if none or several of its packets are missing.
  package mutating func protect(
    _ packet: Packet, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) -> (news: News, recovered: UInt32?) {
    let number = Int(packet.stream)
    let place = UInt32(packet.index & ~(Packet.protectionIndex | Packet.separateProtection))
    guard packet.index & Packet.separateProtection == 0 else {
      return ([], recovered(by: packet, place, end: packet.sequence))
    }
    if ingress[number].protectedEnd == nil { ingress[number].protectedEnd = packet.sequence }
    let news = forward(packet, endpoints: &endpoints, links: &links, kernel: &kernel)
    return (news, recovered(by: packet, place, end: packet.sequence &- place))
  }

  /// Returns the only missing packet among those that protection packet `place` of a group covers.
  ///
  /// - Parameter end: sequence number after the group; beyond the last packet received if the end of the group is lost.
  private func recovered(by packet: Packet, _ place: UInt32, end: UInt32) -> UInt32? {
    let number = Int(packet.stream)
    let members = UInt32(packet.count)
    let step = UInt32(packet.format)
    guard ingress[number].hasBegun, step > 0, place < members else { return nil }
    let first = end &- members &+ place
    var (count, last) = missing[number].missing(from: first, step: step, count: members - place)
    // No later packet reveals that the end of the group is missing.
    var sequence = first
    while Int32(bitPattern: sequence &- end) < 0 {
      if Int32(bitPattern: sequence &- ingress[number].expectedSequence) >= 0 {
        count += 1
        last = sequence
      }
      sequence &+= step
    }
    return count == 1 ? last : nil
  }

  /// Gives up on protection packets missing between two frames: they are neither retransmitted nor needed any more.
  mutating func noteProtectedFrame(_ packet: Packet) {
    let number = Int(packet.stream)
    guard let end = ingress[number].protectedEnd else { return }
    let start = packet.sequence &- UInt32(packet.index)
    if ingress[number].hasMissing, packet.frame == ingress[number].frame &+ 1,
      Int32(bitPattern: start &- end) > 0
    {
      missing[number].removeAll(from: end, before: start)
      ingress[number].hasMissing = !missing[number].isEmpty
    }
    ingress[number].protectedEnd = start &+ UInt32(packet.count)
  }
}
