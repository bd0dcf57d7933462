import Endpoint
import Network
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Viewing

/// Packets that arrive at a participant, as a viewer, a listener or a publisher, and those that leave a pacer.
extension MeetingParts {
  /// Handles a non-signalling packet that has reached a participant.
  mutating func reachParticipant(_ packet: Packet, _ kind: PacketKind, kernel: inout Kernel) {
    let participant = Int(packet.destination)
    let down = Path.down(participant)
    switch kind {
    case .video, .videoRetransmission:
      guard notesVideo(packet, of: participant, kernel: &kernel) else { return }
      viewers.receptions.receive(packet, &net, kernel: &kernel)
      guard !viewers.receptions.streamChanges.isEmpty else { return }
      viewers.tellStreamChanges(&net, kernel: &kernel)
    case .protection:
      guard notesVideo(packet, of: participant, kernel: &kernel) else { return }
      viewers.receptions.receiveProtection(packet, &net, kernel: &kernel)
    case .voice:
      net.endpoints.noteVoiceArrival(packet, on: down, kernel: &kernel)
      guard net.endpoints.peers.peer(of: participant) != Int(packet.stream) else { return }
      listeners.receive(packet, at: kernel.now)
    case .padding:
      net.endpoints.noteArrival(packet, on: down, kernel: &kernel)
      if net.endpoints.rules.receivesEstimates(on: down) {
        net.endpoints.estimate(from: packet, of: nil, by: participant, links: &net.links, kernel: &kernel)
      }
      viewers.receptions.notePadding(packet)
    // A sender whose encodings go to a peer has none that the SFU could ask for.
    case .pictureLossIndication where net.endpoints.peers.peer(of: participant) != nil,
      .negativeAcknowledgement where net.endpoints.peers.peer(of: participant) != nil:
      break
    case .pictureLossIndication: publishers.answerKeyFrameRequest(for: Int(packet.stream), at: kernel.now)
    case .transportFeedback:
      net.endpoints.receiveFeedback(packet, on: Path.up(participant), kernel: &kernel)
      publishers.followTarget(of: participant, &net, kernel: &kernel)
    case .negativeAcknowledgement:
      publishers.retransmit(packet, &net, kernel: &kernel)
    case .senderReport: net.endpoints.receiveSenderReport(packet, on: down, at: kernel.now)
    case .receiverReport:
      net.endpoints.receiveReceiverReport(packet, on: Path.up(participant), at: kernel.now)
    case .signalling, .signallingAcknowledgement, .streamSegment, .streamAcknowledgement, .receiverEstimate,
      .crossTraffic:
      break
    }
  }

  /// Reports a video packet that has reached a participant to its estimators.
  ///
  /// - Returns: `true` if the participant knows the stream, and does not receive the source from a peer. libwebrtc's
  ///   estimators also count packets of unknown streams (`peer_connection.cc`).
  @inline(__always) private mutating func notesVideo(
    _ packet: Packet, of participant: Int, kernel: inout Kernel
  ) -> Bool {
    let down = Path.down(participant)
    net.endpoints.noteArrival(packet, on: down, kernel: &kernel)
    let source = streams.encodings[Int(packet.stream)].source
    if net.endpoints.rules.receivesEstimates(on: down) {
      net.endpoints.estimate(from: packet, of: source, by: participant, links: &net.links, kernel: &kernel)
    }
    return viewers.negotiated?.isKnown(source, to: participant) ?? true
      && !viewers.receptions.receivesDirectly(source, participant)
  }

  /// Notes that video packets have left a pacer; their age counts from now on.
  mutating func noteDepartures(on path: Int, at now: SimTime) {
    for packet in net.endpoints.departed {
      if Path.isUp(path) {
        publishers.noteDeparture(packet, at: now)
      } else {
        sfu.forwarder.noteDeparture(packet, at: now)
      }
    }
  }
}
