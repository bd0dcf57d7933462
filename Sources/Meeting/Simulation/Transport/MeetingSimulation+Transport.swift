import Network
import Quantity
import SimulationKernel

/// The way of packets from link to link, to the SFU or to a participant.
extension MeetingSimulation {
  mutating func arrive(at link: UInt16, kernel: inout Kernel) {
    guard let packet = network.arrive(at: link, kernel: &kernel) else { return }
    if packet.kind == PacketKind.crossTraffic.rawValue { return receiveCross(packet, kernel: &kernel) }
    switch linkRoles[Int(link)] {
    case .toParticipant: reachParticipant(packet, kernel: &kernel)
    case .toSFU: reachSFU(packet, kernel: &kernel)
    case .onward(let next): network.send(packet, on: next, kernel: &kernel)
    case .alongWayUp:
      let up = participants[Int(packet.destination)].up
      guard let place = up.firstIndex(of: link) else { return }
      guard place + 1 < up.count else { return reachSFU(packet, kernel: &kernel) }
      network.send(packet, on: up[place + 1], kernel: &kernel)
    case .alongWayDown:
      let down = participants[Int(packet.destination)].down
      guard let place = down.firstIndex(of: link) else { return }
      guard place + 1 < down.count else { return reachParticipant(packet, kernel: &kernel) }
      network.send(packet, on: down[place + 1], kernel: &kernel)
    }
  }

  private mutating func reachSFU(_ packet: Packet, kernel: inout Kernel) {
    let participant = Int(packet.destination)
    participants[participant].bytesUp += Int64(packet.size)
    switch PacketKind(rawValue: packet.kind) {
    case .video:
      noteArrival(packet, on: Path.up(participant), kernel: &kernel)
      forwardVideo(packet, kernel: &kernel)
    case .voice:
      if plan.voicesHaveFeedback { noteArrival(packet, on: Path.up(participant), kernel: &kernel) }
      forwardVoice(packet, kernel: &kernel)
    case .videoRetransmission:
      noteArrival(packet, on: Path.up(participant), kernel: &kernel)
      forwardLate(packet, kernel: &kernel)
    case .padding: noteArrival(packet, on: Path.up(participant), kernel: &kernel)
    case .pictureLossIndication: requestKeyFrame(for: packet, kernel: &kernel)
    case .transportFeedback: learn(from: packet, on: Path.down(participant), kernel: &kernel)
    case .negativeAcknowledgement: repeatTrack(packet, kernel: &kernel)
    case .senderReport: receiveSenderReport(packet, on: Path.up(participant), at: kernel.now)
    case .receiverReport: receiveReceiverReport(packet, on: Path.down(participant), kernel: &kernel)
    case .crossTraffic, nil: break
    }
  }

  private mutating func reachParticipant(_ packet: Packet, kernel: inout Kernel) {
    let participant = Int(packet.destination)
    participants[participant].bytesDown += Int64(packet.size)
    switch PacketKind(rawValue: packet.kind) {
    case .video:
      noteArrival(packet, on: Path.down(participant), kernel: &kernel)
      receiveVideo(packet, kernel: &kernel)
    case .voice:
      noteArrival(packet, on: Path.down(participant), kernel: &kernel)
      receiveVoice(packet, at: kernel.now)
    case .videoRetransmission:
      noteArrival(packet, on: Path.down(participant), kernel: &kernel)
      receiveVideo(packet, kernel: &kernel)
    case .padding: noteArrival(packet, on: Path.down(participant), kernel: &kernel)
    case .pictureLossIndication: answerRequest(for: Int(packet.stream), now: kernel.now)
    case .transportFeedback: learn(from: packet, on: Path.up(participant), kernel: &kernel)
    case .negativeAcknowledgement: repeatEncoding(packet, kernel: &kernel)
    case .senderReport: receiveSenderReport(packet, on: Path.down(participant), at: kernel.now)
    case .receiverReport: receiveReceiverReport(packet, on: Path.up(participant), kernel: &kernel)
    case .crossTraffic, nil: break
    }
  }
}
