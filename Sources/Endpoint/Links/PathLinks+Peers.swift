public import Network
package import Quantity
public import SimulationKernel

/// Peer-to-peer connections, each with two paths of its own: the uplink path carries a participant's media over its own
/// uplink and the other's downlink, and the downlink path carries the other's RTCP about it the opposite way.
extension PathLinks {
  /// Returns the number of a participant's peer-to-peer connection.
  package func peerConnection(of participant: Int) -> Int { participantCount + participant }

  /// Checks whether two participants can reach each other. Where media uses TCP, only a relay could connect them; the
  /// last of more participants than have numbers for both their connections stay with the SFU, too.
  package func canConnect(_ first: Int, _ second: Int) -> Bool {
    [first, second].allSatisfy {
      exists(Path.up($0)) && exists(Path.down($0)) && !isStreamed(Path.up($0))
        && peerConnection(of: $0) <= Int(UInt16.max)
    }
  }

  /// Opens a connection between two participants; packets of earlier ones have no receiver any more.
  package mutating func connect(_ first: Int, _ second: Int) {
    hasRejoined = true
    for (own, other) in [(first, second), (second, first)] {
      let number = peerConnection(of: own)
      connections[number] = (connections[number] &+ 1) & 0xF
      setRoute(route(of: Path.up(own)) + route(of: Path.down(other)), of: Path.up(number))
      setRoute(route(of: Path.up(other)) + route(of: Path.down(own)), of: Path.down(number))
    }
  }

  /// Returns the location of a packet of a peer-to-peer connection that has left a link.
  ///
  /// Where both share a link, it is on both paths: reports take the opposite one.
  @usableFromInline
  mutating func forwardToPeer(_ packet: Packet, from link: UInt16, kernel: inout Kernel) -> Arrival {
    let up = Path.up(Int(packet.destination))
    let isReport = PacketKind(rawValue: packet.kind)?.isAboutMedia ?? false
    return forward(packet, from: link, along: isReport ? Path.reverse(of: up) : up, to: .peer, &kernel)
  }

  /// Returns the time at which two participants are connected who begin now: the first is told of the second over the
  /// server, its offer and the answer take the same way, and a check of the connection (RFC 8445) and a DTLS handshake
  /// (RFC 6347) take three round trips between the two. Messages wait where a link is down, and take no other time.
  package func connectionTime(between first: Int, and second: Int, at now: SimTime) -> SimTime {
    let exchange = [
      Path.down(first), Path.up(first), Path.down(second), Path.up(second), Path.down(first),
    ]
    let roundTrip = [Path.up(first), Path.down(second), Path.up(second), Path.down(first)]
    return (exchange + roundTrip + roundTrip + roundTrip).reduce(now) {
      signallingArrival(on: $1, sentAt: $0)
    }
  }
}
