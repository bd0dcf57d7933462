package import Endpoint
package import Network
import Plan
package import SimulationKernel
import Transport

/// Forward error correction on its way from a publisher to the viewers.
extension Forwarder {
  /// Forwards a protection packet, and finds the packet that it recovers.
  ///
  /// Protection packet `i` of `k` covers every `k`th packet of its group from the `i`th on [our model; libwebrtc's masks
  /// overlap].
  ///
  /// - Returns: the sequence number of the recovered packet; `nil` if none or several of its packets are missing.
  package mutating func protect(
    _ packet: Packet, endpoints: inout Endpoints, links: inout PathLinks, kernel: inout Kernel
  ) -> (news: News, recovered: UInt32?) {
    let number = Int(packet.stream)
    if ingress[number].protectedEnd == nil { ingress[number].protectedEnd = packet.sequence }
    let news = forward(packet, endpoints: &endpoints, links: &links, kernel: &kernel)
    let place = UInt32(packet.index & ~Packet.protectionIndex)
    let members = UInt32(packet.count)
    guard ingress[number].hasMissing, place < members else { return (news, nil) }
    let recovered = missing[number].onlyMissing(
      from: packet.sequence &- place &- members &+ place, step: UInt32(packet.format), count: members - place)
    return (news, recovered)
  }

  /// Gives up the protection packets that are missing between two frames: they are not sent again, and needed no more.
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
