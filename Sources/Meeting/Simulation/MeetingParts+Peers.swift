import Endpoint
import Network
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Transport
import Viewing

/// Peer-to-peer connections: the change to and from them, and the packets that arrive over them.
extension MeetingParts {
  /// Sends the media of two participants to each other from now on.
  ///
  /// - Returns: `false` if one of them has gone, of which the SFU has yet to learn.
  mutating func connect(_ pair: PeerCall.Pair, kernel: inout Kernel) -> Bool {
    guard people.isJoined(pair.first), people.isJoined(pair.second) else { return false }
    let now = kernel.now
    net.links.connect(pair.first, pair.second)
    net.endpoints.connect(pair.first, pair.second, net.links, kernel: &kernel)
    for (own, other) in [(pair.first, pair.second), (pair.second, pair.first)] {
      let path = net.endpoints.sendingPath(of: own)
      net.endpoints.observe(path, capacity: net.links.fairCapacity(of: path, at: now), at: now)
      change(own, from: other, to: other, kernel: &kernel)
    }
    sfu.release(pair, &net, kernel: &kernel)
    return true
  }

  /// Sends a participant's media to the SFU from now on.
  ///
  /// - Returns: `false` if it already goes there.
  mutating func disconnect(_ number: Int, kernel: inout Kernel) -> Bool {
    guard let other = net.endpoints.peers.peer(of: number) else { return false }
    net.endpoints.disconnect(number, net.links)
    change(number, from: other, to: nil, kernel: &kernel)
    return true
  }

  /// Changes a participant's media to or from a connection with another participant.
  private mutating func change(_ number: Int, from other: Int, to peer: Int?, kernel: inout Kernel) {
    publishers.changeConnection(of: number, &net.sizes, isToPeer: peer != nil, at: kernel.now)
    viewers.receptions.changeConnection(of: number, to: peer, at: kernel.now)
    listeners.changeConnection(of: number, to: other)
    publishers.adapt(number, &net, kernel: &kernel)
  }

  /// Returns the padding that a participant has sent since the beginning, without the overhead around its RTP packets
  /// [byte].
  func paddingBytes(by participant: Int) -> Int64 {
    let own = net.endpoints.paths[Path.up(participant)].totals.paddingRTPBytes
    guard net.endpoints.peers.lastPeer(of: participant) != nil else { return own }
    let path = Path.up(net.links.peerConnection(of: participant))
    return own + net.endpoints.paths[path].totals.paddingRTPBytes
  }

  // MARK: Arrivals

  /// Handles a packet of a participant's media that has reached its peer.
  mutating func receive(
    _ packet: Packet, _ kind: PacketKind, from sender: Int, by receiver: Int, kernel: inout Kernel
  ) {
    guard net.endpoints.peers.peer(of: receiver) == sender else { return }
    let path = Path.up(Int(packet.destination))
    var packet = packet
    packet.destination = UInt16(receiver)
    switch kind {
    case .video, .videoRetransmission, .protection:
      net.endpoints.noteArrival(packet, on: path, kernel: &kernel)
      guard viewers.receptions.expectsFromPeer(packet) else { return }
      if kind == .protection {
        protect(packet, kernel: &kernel)
      } else {
        viewers.receptions.receive(packet, &net, kernel: &kernel)
      }
      if !viewers.receptions.streamChanges.isEmpty {
        viewers.tellStreamChanges(&net, kernel: &kernel)
      }
    case .voice:
      net.endpoints.noteVoiceArrival(packet, on: path, kernel: &kernel)
      listeners.receive(packet, at: kernel.now)
    case .padding:
      net.endpoints.noteArrival(packet, on: path, kernel: &kernel)
      viewers.receptions.notePadding(packet)
    case .senderReport: net.endpoints.receiveSenderReport(packet, on: path, at: kernel.now)
    default: break
    }
  }

  /// Handles a protection packet, and receives the packet that it recovers.
  private mutating func protect(_ packet: Packet, kernel: inout Kernel) {
    guard
      let recovered = viewers.receptions.receiveProtectionFromPeer(
        packet, &net, kernel: &kernel),
      var original = publishers.sender.histories[Int(packet.stream)].packet(recovered)
    else { return }
    original.destination = packet.destination
    viewers.receptions.receive(original, &net, kernel: &kernel)
  }

  /// Handles RTCP about a participant's media that has come from its peer.
  mutating func receiveReport(_ packet: Packet, _ kind: PacketKind, by sender: Int, kernel: inout Kernel) {
    guard net.endpoints.peers.peer(of: sender) != nil else { return }
    let path = Path.up(Int(packet.destination))
    switch kind {
    case .pictureLossIndication:
      let source = streams.encodings[Int(packet.stream)].source
      publishers.answerKeyFrameRequest(for: publishers.encodingToPeer(of: source), at: kernel.now)
    case .transportFeedback:
      net.endpoints.receiveFeedback(packet, on: path, kernel: &kernel)
      publishers.followTarget(of: sender, &net, kernel: &kernel)
    case .negativeAcknowledgement:
      publishers.retransmit(packet, &net, kernel: &kernel)
    case .receiverReport: net.endpoints.receiveReceiverReport(packet, on: path, at: kernel.now)
    default: break
    }
  }
}
