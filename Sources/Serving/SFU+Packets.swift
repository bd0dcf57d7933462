import Allocation
package import Endpoint
package import Network
import Quantity
package import SimulationKernel
import Systems
import Transport

/// Packets that reach the SFU.
extension SFU {
  /// Handles a packet of any kind that concerns only the SFU.
  package mutating func receive(
    _ packet: Packet, _ kind: PacketKind, _ net: inout Connections, kernel: inout Kernel
  ) {
    let participant = Int(packet.destination)
    let up = Path.up(participant)
    switch kind {
    case .video:
      net.endpoints.noteArrival(packet, on: up, kernel: &kernel)
      let news = forwarder.forward(packet, &net, kernel: &kernel)
      if !news.isEmpty { follow(news, of: Int(packet.stream), &net, kernel: &kernel) }
    case .voice:
      net.endpoints.noteVoiceArrival(packet, on: up, kernel: &kernel)
      voices.forward(packet, &net, kernel: &kernel)
    case .videoRetransmission:
      net.endpoints.noteArrival(packet, on: up, kernel: &kernel)
      receiveLate(packet, &net, kernel: &kernel)
    case .padding: net.endpoints.noteArrival(packet, on: up, kernel: &kernel)
    case .pictureLossIndication:
      forwarder.requestKeyFrame(for: packet, &net, kernel: &kernel)
    case .transportFeedback:
      net.endpoints.receiveFeedback(packet, on: Path.down(participant), kernel: &kernel)
      reportCongestion(to: participant, &net, kernel: &kernel)
    case .negativeAcknowledgement:
      forwarder.retransmit(packet, &net, kernel: &kernel)
    case .senderReport: net.endpoints.receiveSenderReport(packet, on: up, at: kernel.now)
    case .receiverReport:
      net.endpoints.receiveReceiverReport(packet, on: Path.down(participant), at: kernel.now)
    case .receiverEstimate:
      let estimate = net.endpoints.receiveEstimate(packet, on: Path.down(participant), at: kernel.now)
      reportEstimate(
        VideoBudget(estimate: forwarder.rules.constantReceiverEstimate ?? estimate), to: participant, &net,
        kernel: &kernel)
    case .protection, .signalling, .signallingAcknowledgement, .streamSegment, .streamAcknowledgement,
      .crossTraffic:
      break
    }
  }

  /// Forwards a protection packet.
  ///
  /// - Returns: the number of the packet that it recovers from those received; `nil` for none.
  package mutating func receiveProtection(_ packet: Packet, _ net: inout Connections, kernel: inout Kernel)
    -> UInt32?
  {
    net.endpoints.noteArrival(packet, on: Path.up(Int(packet.destination)), kernel: &kernel)
    let (news, recovered) = forwarder.protect(packet, &net, kernel: &kernel)
    if !news.isEmpty { follow(news, of: Int(packet.stream), &net, kernel: &kernel) }
    return recovered
  }

  /// Forwards a packet that was missing.
  package mutating func receiveLate(_ packet: Packet, _ net: inout Connections, kernel: inout Kernel) {
    let news = forwarder.forwardLate(packet, &net, kernel: &kernel)
    if !news.isEmpty { follow(news, of: Int(packet.stream), &net, kernel: &kernel) }
  }

  /// Forwards a packet recovered from others, which may be newer than any received.
  package mutating func receiveRecovered(_ packet: Packet, _ net: inout Connections, kernel: inout Kernel) {
    let news = forwarder.forward(packet, &net, kernel: &kernel)
    if !news.isEmpty { follow(news, of: Int(packet.stream), &net, kernel: &kernel) }
  }
}
