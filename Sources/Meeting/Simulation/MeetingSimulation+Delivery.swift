import Allocation
import Endpoint
import Network
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Systems
import Transport
import Viewing

/// Delivery of packets from the end of a link to the part that handles them.
extension MeetingSimulation {
  mutating func arrive(at link: UInt16, kernel: inout Kernel) {
    guard let packet = links.arrive(at: link, kernel: &kernel) else { return }
    if packet.kind == PacketKind.crossTraffic.rawValue {
      return crossTraffic.receive(packet, kernel: &kernel)
    }
    switch links.forward(packet, from: link, kernel: &kernel) {
    case .participant where links.isCurrent(packet): reachParticipant(packet, kernel: &kernel)
    case .sfu where links.isCurrent(packet): reachSFU(packet, kernel: &kernel)
    case .participant, .sfu, .onTheWay: break
    }
  }

  private mutating func reachSFU(_ packet: Packet, kernel: inout Kernel) {
    let participant = Int(packet.destination)
    let up = Path.up(participant)
    recording.noteArrival(packet, on: up)
    switch PacketKind(rawValue: packet.kind) {
    case .video:
      endpoints.noteArrival(packet, on: up, kernel: &kernel)
      let news = sfu.forwarder.forward(packet, endpoints: &endpoints, links: &links, kernel: &kernel)
      if !news.isEmpty { follow(news, of: Int(packet.stream), kernel: &kernel) }
    case .voice:
      endpoints.noteVoiceArrival(packet, on: up, kernel: &kernel)
      sfu.voices.forward(packet, endpoints: &endpoints, links: &links, kernel: &kernel)
    case .videoRetransmission:
      endpoints.noteArrival(packet, on: up, kernel: &kernel)
      let news = sfu.forwarder.forwardLate(packet, endpoints: &endpoints, links: &links, kernel: &kernel)
      if !news.isEmpty { follow(news, of: Int(packet.stream), kernel: &kernel) }
    case .protection:
      endpoints.noteArrival(packet, on: up, kernel: &kernel)
      recover(from: packet, kernel: &kernel)
    case .padding: endpoints.noteArrival(packet, on: up, kernel: &kernel)
    case .pictureLossIndication:
      sfu.forwarder.requestKeyFrame(for: packet, endpoints: &endpoints, links: &links, kernel: &kernel)
    case .transportFeedback:
      endpoints.receiveFeedback(packet, on: Path.down(participant), kernel: &kernel)
      reportCongestion(to: participant, kernel: &kernel)
    case .negativeAcknowledgement:
      sfu.forwarder.retransmit(packet, endpoints: &endpoints, links: &links, kernel: &kernel)
    case .senderReport: endpoints.receiveSenderReport(packet, on: up, at: kernel.now)
    case .receiverReport:
      endpoints.receiveReceiverReport(packet, on: Path.down(participant), at: kernel.now)
    case .receiverEstimate:
      let estimate = endpoints.receiveEstimate(packet, on: Path.down(participant), at: kernel.now)
      reportEstimate(
        VideoBudget(estimate: sfu.forwarder.rules.constantReceiverEstimate ?? estimate), to: participant,
        kernel: &kernel)
    case .signalling: receiveSignals(packet, on: up, kernel: &kernel)
    case .signallingAcknowledgement:
      signalling.receiveAcknowledgement(packet, on: Path.down(participant), &links, kernel: &kernel)
    case .crossTraffic, nil: break
    }
  }

  /// Forwards a protection packet with what it recovers: its contents, with those of the packets that have come, are the
  /// missing one's.
  private mutating func recover(from packet: Packet, kernel: inout Kernel) {
    let stream = Int(packet.stream)
    let (news, recovered) = sfu.forwarder.protect(
      packet, endpoints: &endpoints, links: &links, kernel: &kernel)
    if !news.isEmpty { follow(news, of: stream, kernel: &kernel) }
    guard let recovered, let original = publishers.histories[stream].packet(recovered) else { return }
    let later = sfu.forwarder.forwardLate(original, endpoints: &endpoints, links: &links, kernel: &kernel)
    if !later.isEmpty { follow(later, of: stream, kernel: &kernel) }
  }

  /// Follows the results of a packet at the SFU.
  private mutating func follow(_ news: Forwarder.News, of encoding: Int, kernel: inout Kernel) {
    if news.contains(.layerBegan) { beginMeasuring(encoding, kernel: &kernel) }
    if news.contains(.layersDeclared) { followLayers(of: encoding, kernel: &kernel) }
    guard news.contains(.switched) else { return }
    reportSwitches(kernel: &kernel)
    tellDemand(for: streams.encodings[encoding].source, kernel: &kernel)
  }

  /// Reports a video packet that has reached a participant to its estimators.
  ///
  /// - Returns: `true` if the participant knows the stream. libwebrtc's estimators count packets of unknown streams too
  ///   (`peer_connection.cc`).
  @inline(__always)
  private mutating func notesVideo(_ packet: Packet, of participant: Int, kernel: inout Kernel) -> Bool {
    let down = Path.down(participant)
    endpoints.noteArrival(packet, on: down, kernel: &kernel)
    let source = streams.encodings[Int(packet.stream)].source
    if endpoints.receivesEstimates(on: down) {
      endpoints.estimate(from: packet, of: source, by: participant, links: &links, kernel: &kernel)
    }
    return viewers.negotiated.isKnown(source, to: participant)
  }

  private mutating func reachParticipant(_ packet: Packet, kernel: inout Kernel) {
    let participant = Int(packet.destination)
    let down = Path.down(participant)
    recording.noteArrival(packet, on: down)
    switch PacketKind(rawValue: packet.kind) {
    case .video, .videoRetransmission:
      guard notesVideo(packet, of: participant, kernel: &kernel) else { return }
      viewers.receive(
        packet, publishers.sizes, endpoints: &endpoints, links: &links, kernel: &kernel)
      if !viewers.streamChanges.isEmpty { tellStreamChanges(kernel: &kernel) }
    case .protection:
      guard notesVideo(packet, of: participant, kernel: &kernel) else { return }
      viewers.receiveProtection(packet, endpoints: &endpoints, links: &links, kernel: &kernel)
    case .voice:
      endpoints.noteVoiceArrival(packet, on: down, kernel: &kernel)
      listeners.receive(packet, at: kernel.now)
    case .padding:
      endpoints.noteArrival(packet, on: down, kernel: &kernel)
      if endpoints.receivesEstimates(on: down) {
        endpoints.estimate(from: packet, of: nil, by: participant, links: &links, kernel: &kernel)
      }
      viewers.notePadding(packet)
    case .pictureLossIndication:
      publishers.answerKeyFrameRequest(for: Int(packet.stream), at: kernel.now)
    case .transportFeedback:
      endpoints.receiveFeedback(packet, on: Path.up(participant), kernel: &kernel)
      followUplink(of: participant, kernel: &kernel)
    case .negativeAcknowledgement:
      publishers.retransmit(packet, endpoints: &endpoints, links: &links, kernel: &kernel)
    case .senderReport: endpoints.receiveSenderReport(packet, on: down, at: kernel.now)
    case .receiverReport:
      endpoints.receiveReceiverReport(packet, on: Path.up(participant), at: kernel.now)
    case .signalling: receiveSignals(packet, on: down, kernel: &kernel)
    case .signallingAcknowledgement:
      signalling.receiveAcknowledgement(packet, on: Path.up(participant), &links, kernel: &kernel)
    case .receiverEstimate, .crossTraffic, nil: break
    }
  }

  /// Notes video packets that have left a pacer, whose age counts from now on.
  mutating func noteDepartures(on path: Int, at now: SimTime) {
    for packet in endpoints.departed {
      if Path.isUp(path) {
        publishers.noteDeparture(packet, at: now)
      } else {
        sfu.forwarder.noteDeparture(packet, at: now)
      }
    }
  }
}
