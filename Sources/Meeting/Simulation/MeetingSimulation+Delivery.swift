import Endpoint
import Network
import Plan
import Publishing
import Serving
import SimulationKernel
import Transport
import Viewing

/// Delivery of packets from the end of a link to the part that handles them.
extension MeetingSimulation {
  mutating func arrive(at link: UInt16, kernel: inout Kernel) {
    guard let packet = parts.net.links.arrive(at: link, kernel: &kernel) else { return }
    if packet.kind == PacketKind.crossTraffic.rawValue {
      let place = crossTraffic.link(of: packet)
      recording.linkCourses[place].crossBytes += Int64(packet.size)
      return crossTraffic.receive(packet, kernel: &kernel)
    }
    switch parts.net.links.forward(packet, from: link, kernel: &kernel) {
    case .participant where parts.net.links.isCurrent(packet):
      guard packet.isOfStream else { return reachParticipant(packet, kernel: &kernel) }
      followStream(packet, on: Path.down(Int(packet.destination)), kernel: &kernel)
    case .sfu where parts.net.links.isCurrent(packet):
      guard packet.isOfStream else { return reachSFU(packet, kernel: &kernel) }
      followStream(packet, on: Path.up(Int(packet.destination)), kernel: &kernel)
    case .peer where parts.net.links.isCurrent(packet): reachPeer(packet, kernel: &kernel)
    case .participant, .sfu, .peer, .onTheWay: break
    }
  }

  /// Handles a TCP connection's packet at the end of a path, and passes on what it completes.
  private mutating func followStream(_ packet: Packet, on path: Int, kernel: inout Kernel) {
    guard packet.kind == PacketKind.streamSegment.rawValue else {
      // It acknowledges what was sent on the opposite path.
      return parts.net.links.receiveAcknowledgement(packet, on: Path.reverse(of: path), kernel: &kernel)
    }
    parts.net.links.receiveSegment(packet, on: path, kernel: &kernel)
    while let arrived = parts.net.links.takeArrived(on: path) {
      if Path.isUp(path) {
        reachSFU(arrived, kernel: &kernel)
      } else {
        reachParticipant(arrived, kernel: &kernel)
      }
    }
  }

  private mutating func reachSFU(_ packet: Packet, kernel: inout Kernel) {
    let path = Path.up(Int(packet.destination))
    recording.noteArrival(packet, on: path)
    guard let kind = PacketKind(rawValue: packet.kind) else { return }
    guard kind != .protection else { return protect(packet, kernel: &kernel) }
    guard !receivesSignals(packet, kind, on: path, kernel: &kernel) else { return }
    parts.sfu.receive(packet, kind, &parts.net, kernel: &kernel)
    if !parts.sfu.records.isEmpty { settle(kernel: &kernel) }
  }

  /// Forwards a protection packet with the packet it recovers, whose contents follow from it and the packets received.
  private mutating func protect(_ packet: Packet, kernel: inout Kernel) {
    if let recovered = parts.sfu.receiveProtection(packet, &parts.net, kernel: &kernel),
      let original = parts.publishers.sender.histories[Int(packet.stream)].packet(recovered)
    {
      parts.sfu.receiveRecovered(original, &parts.net, kernel: &kernel)
    }
    settle(kernel: &kernel)
  }

  private mutating func reachParticipant(_ packet: Packet, kernel: inout Kernel) {
    let path = Path.down(Int(packet.destination))
    recording.noteArrival(packet, on: path)
    guard let kind = PacketKind(rawValue: packet.kind),
      !receivesSignals(packet, kind, on: path, kernel: &kernel)
    else { return }
    parts.reachParticipant(packet, kind, kernel: &kernel)
    if !parts.viewers.records.isEmpty || !parts.publishers.records.isEmpty { settle(kernel: &kernel) }
  }

  /// Handles a packet at the end of a peer-to-peer connection.
  private mutating func reachPeer(_ packet: Packet, kernel: inout Kernel) {
    let sender = parts.net.endpoints.peers.participant(Int(packet.destination))
    guard let kind = PacketKind(rawValue: packet.kind),
      let receiver = parts.net.endpoints.peers.lastPeer(of: sender)
    else { return }
    let isReport = kind.isAboutMedia
    recording.noteArrival(packet, on: Path.up(isReport ? receiver : sender))
    recording.noteArrival(packet, on: Path.down(isReport ? sender : receiver))
    if isReport {
      parts.receiveReport(packet, kind, by: sender, kernel: &kernel)
    } else {
      parts.receive(packet, kind, from: sender, by: receiver, kernel: &kernel)
    }
    if !parts.viewers.records.isEmpty || !parts.publishers.records.isEmpty { settle(kernel: &kernel) }
  }

  /// Handles a packet of signalling.
  ///
  /// - Returns: `false` for other packets.
  @inline(__always) private mutating func receivesSignals(
    _ packet: Packet, _ kind: PacketKind, on path: Int, kernel: inout Kernel
  ) -> Bool {
    switch kind {
    case .signalling:
      for message in parts.net.signalling.receive(packet, on: path, &parts.net.links, kernel: &kernel) {
        receive(message, on: path, kernel: &kernel)
      }
    case .signallingAcknowledgement:
      // It acknowledges what was sent on the opposite path.
      parts.net.signalling.receiveAcknowledgement(packet, on: path ^ 1, &parts.net.links, kernel: &kernel)
    default: return false
    }
    return true
  }
}
