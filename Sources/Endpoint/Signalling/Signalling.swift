package import Allocation
import CrossTraffic
package import Network
package import Quantity
package import SimulationKernel
package import Systems

/// Signalling messages between participants and the SFU.
package enum SignallingMessage {
  /// A participant has joined or left, begun or ended a turn of speech, muted or unmuted: to the SFU.
  indirect case presence(Int, Directory.Presence)
  /// A source has started or stopped, or offers other layers: to the SFU.
  indirect case source(Int, Roster.Source)
  /// A change of a participant or a source, by its number in ``Announcements``, with the message's size: from the SFU
  /// to the others.
  case announcement(Int, bytes: Int)
  /// The whole directory up to a position in ``Announcements``: to a participant who joins.
  case directory(Int)
  /// The requested encodings of a source: to its publisher.
  indirect case demand(source: Int, EncodingDemand)
  /// A viewer's request for a source's low stream: to its publisher.
  case lowStream(source: Int, isHost: Bool)
  /// A client's subscriptions, all of them: to the SFU.
  indirect case subscriptions(SubscriptionRequest)
  /// A publisher's estimate of its uplink's capacity for video, if a controller decides by it: to the SFU.
  case uplink(BitRate)
  /// A viewer's request for its next track, if it takes one after the other: to the SFU.
  case trackRequest
  /// The SFU's request for an offer of a session with a number of tracks: to a viewer.
  case offerRequest(tracks: Int, bytes: Int)
  /// A viewer's offer.
  case offer(bytes: Int)
  /// The SFU's answer, with the sources that it adds.
  indirect case answer([Int], bytes: Int)
  /// Addresses at which a viewer can be reached, after the first answer.
  case candidates
  /// A client's settings of a source's track: to the SFU.
  indirect case settings(source: Int, TrackSettings)
  /// The start or end of a source's forwarding, with its limitation: to its viewer.
  case track(source: Int, isGiven: Bool, limitation: Limitation?)
  /// The SFU's report on a downlink: to its viewer, if its client follows it.
  indirect case downlink(Downlink)
  /// The end of a peer-to-peer connection: to a participant, who sends its media to the SFU from now on.
  case peerEnd
}

extension SignallingMessage {
  /// `true` if the SFU handles a message even after its sender has rejoined: a message that somebody has left or
  /// stopped a source. It precedes the messages of the next stay, and everybody else needs to know of it.
  package var outlivesStay: Bool {
    switch self {
    case .presence, .source: true
    case .announcement, .directory, .demand, .lowStream, .subscriptions, .uplink, .trackRequest,
      .offerRequest, .offer, .answer, .candidates, .settings, .track, .downlink, .peerEnd:
      false
    }
  }
}

/// Reliable, ordered messages between participants and the SFU.
///
/// Where signalling shares the links (``System/negotiation``), each direction of a path is a TCP connection through the
/// links' queues, behind whatever waits there; its acknowledgements use those of the opposite path, and can be lost
/// there too. Elsewhere a message takes the propagation delay of its path and waits while a link of the path is down.
/// Its bits are not counted, it does not queue behind media, and retransmission timers are not modelled [our model:
/// signalling uses a WebSocket or data channel and is small beside media]. Setting up and tearing down a participant's
/// own connection takes no time.
package struct Signalling: ~Copyable {
  /// Messages in transit on one path, first in, first out.
  private struct Queue {
    var messages: [(message: SignallingMessage, connection: UInt8)] = []
    var head = 0
    /// Time at which the last message arrives.
    var lastDue = SimTime.zero
  }

  private var queues: [Queue]
  /// Connections by path, where messages share the links.
  private var connections: [SignallingStream]
  /// Flags of the participants whose connections are open.
  private var isOpen: [Bool]
  /// The SFU's announcements to all participants.
  package var announcements: Announcements

  package init(paths: Int, sharesLinks: Bool, _ directory: Directory) {
    queues = Array(repeating: Queue(), count: paths)
    connections = sharesLinks ? (0..<paths).map { _ in SignallingStream(at: .zero) } : []
    isOpen = Array(repeating: false, count: paths / 2)
    announcements = Announcements(directory)
  }

  deinit {
    for connection in connections { connection.deallocate() }
  }

  package mutating func send(
    _ message: SignallingMessage, on path: Int, _ links: inout PathLinks, kernel: inout Kernel
  ) {
    guard connections.isEmpty || !links.exists(path) else {
      guard isOpen[Path.participant(of: path)] else { return }
      connections[path].append(message)
      pump(path, &links, kernel: &kernel)
      return
    }
    let due = max(links.signallingArrival(on: path, sentAt: kernel.now), queues[path].lastDue)
    queues[path].lastDue = due
    queues[path].messages.append((message, links.connection(of: Path.participant(of: path))))
    kernel.schedule(at: due, tag: MeetingEvent(.signal, path).tag)
  }

  // MARK: Connections

  /// Restarts a participant's connections; nothing sent on the earlier ones arrives any more.
  package mutating func open(_ participant: Int, at now: SimTime) {
    guard !connections.isEmpty else { return }
    isOpen[participant] = true
    for path in [Path.up(participant), Path.down(participant)] {
      connections[path].deallocate()
      connections[path] = SignallingStream(at: now)
    }
  }

  /// Closes a participant's connections: nothing is sent to an absent participant.
  package mutating func close(_ participant: Int) { if !connections.isEmpty { isOpen[participant] = false } }

  /// Sends the segments that a connection's window allows.
  private mutating func pump(_ path: Int, _ links: inout PathLinks, kernel: inout Kernel) {
    while let packet = connections[path].next(to: Path.participant(of: path), at: kernel.now) {
      links.sendDatagram(packet, on: path, kernel: &kernel)
    }
    let deadline = connections[path].deadline
    guard let time = deadline.time, deadline != connections[path].timerAt else { return }
    connections[path].timerAt = deadline
    kernel.schedule(at: time, tag: MeetingEvent(.connectionTimer, path).tag)
  }

  /// Handles a connection's packet at the end of its path.
  ///
  /// - Returns: the messages that are now complete.
  package mutating func receive(
    _ packet: Packet, on path: Int, _ links: inout PathLinks, kernel: inout Kernel
  ) -> [SignallingMessage] {
    if let acknowledgement = connections[path].receive(packet, at: kernel.now) {
      if links.exists(Path.reverse(of: path)) {
        links.sendDatagram(acknowledgement, on: Path.reverse(of: path), kernel: &kernel)
      } else {
        receiveAcknowledgement(acknowledgement, on: path, &links, kernel: &kernel)
      }
    }
    return connections[path].takeArrived()
  }

  /// Handles an acknowledgement that has returned to the beginning of a path.
  package mutating func receiveAcknowledgement(
    _ packet: Packet, on path: Int, _ links: inout PathLinks, kernel: inout Kernel
  ) {
    connections[path].acknowledge(packet, at: kernel.now)
    pump(path, &links, kernel: &kernel)
  }

  package mutating func timerFired(on path: Int, _ links: inout PathLinks, kernel: inout Kernel) {
    guard connections[path].timerAt == Deadline(kernel.now) else { return }
    connections[path].timerAt = .never
    connections[path].timeOut(at: kernel.now)
    pump(path, &links, kernel: &kernel)
  }

  // MARK: Queues

  /// Returns the message that is due at the end of a path; `nil` for one of an earlier stay that nobody expects any
  /// more.
  package mutating func receive(on path: Int, _ links: borrowing PathLinks) -> SignallingMessage? {
    guard queues[path].head < queues[path].messages.count else { return nil }
    let (message, connection) = queues[path].messages[queues[path].head]
    queues[path].head += 1
    if queues[path].head == queues[path].messages.count {
      queues[path].messages.removeAll(keepingCapacity: true)
      queues[path].head = 0
    }
    let isCurrent = connection == links.connection(of: Path.participant(of: path))
    return isCurrent || message.outlivesStay ? message : nil
  }
}
