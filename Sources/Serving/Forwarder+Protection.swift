package import Endpoint
package import Network
import Plan
package import SimulationKernel
import Transport

/// Forwarding of forward error correction from publishers to viewers.
extension Forwarder {
  /// Forwards a protection packet that shares its video's stream, and finds the packet that it recovers.
  ///
  /// - Returns: the sequence number of the recovered packet; `nil` if none or several of its packets are missing.
  package mutating func protect(
    _ packet: Packet, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) -> (news: News, recovered: UInt32?) {
    let number = Int(packet.stream)
    guard !packet.isSeparateProtection else { return ([], recovered(by: packet)) }
    if ingress[number].protectedEnd == nil { ingress[number].protectedEnd = packet.sequence }
    let news = forward(packet, endpoints: &endpoints, links: &links, kernel: &kernel)
    return (news, recovered(by: packet))
  }

  private func recovered(by packet: Packet) -> UInt32? {
    let number = Int(packet.stream)
    guard ingress[number].hasBegun else { return nil }
    return missing[number].recovered(by: packet, expecting: ingress[number].expectedSequence)
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
