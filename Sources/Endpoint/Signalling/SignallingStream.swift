import Network
import Quantity

/// TCP connection that carries messages in one direction of a path, where signalling shares the path's links.
struct SignallingStream {
  private var connection: TCPConnection
  /// Messages that have not arrived, each with the segment that completes it.
  private var messages: [(message: SignallingMessage, lastSegment: Int64)] = []
  /// Time at which the pending timer is due.
  var timerAt = Deadline.never

  init(at now: SimTime) { connection = TCPConnection(at: now) }

  func deallocate() { connection.deallocate() }

  /// Time at which a retransmission is due.
  var deadline: Deadline { connection.senderDeadline }

  mutating func append(_ message: SignallingMessage) {
    messages.append((message, connection.append(message.wireBytes, fillsLast: false)))
  }

  /// Returns the next packet to send now.
  mutating func next(to participant: Int, at now: SimTime) -> Packet? {
    connection.next(to: participant, .signalling, at: now)
  }

  /// Handles a packet at the end of the path.
  ///
  /// - Returns: the acknowledgement to send back: of every segment at once, as by a receiver in quick-ack mode.
  mutating func receive(_ packet: Packet, at now: SimTime) -> Packet? {
    let acknowledgement =
      connection.receive(packet, at: now)
      ?? connection.receiverDeadline.time.flatMap { connection.delayedAcknowledgement(at: $0) }
    guard let acknowledgement else { return nil }
    return connection.answer(
      acknowledgement, to: Int(packet.destination), .signallingAcknowledgement, at: now)
  }

  /// Removes and returns the messages that have arrived completely, in order.
  mutating func takeArrived() -> [SignallingMessage] {
    let arrived = messages.prefix { connection.hasReceived($0.lastSegment) }.map(\.message)
    messages.removeFirst(arrived.count)
    return arrived
  }

  /// Handles an acknowledgement that has returned.
  mutating func acknowledge(_ packet: Packet, at now: SimTime) { connection.acknowledge(packet, at: now) }

  mutating func timeOut(at now: SimTime) { connection.timeOut(at: now) }
}

extension SignallingMessage {
  /// Size as TCP payload, with TLS and WebSocket framing [our model: the order of magnitude of protocol buffers and of
  /// a session description]. Where a system's are known, the sender states them (``NegotiationSizes``).
  package var wireBytes: Int {
    switch self {
    case .presence: 400
    case .source, .downlink, .demand, .lowStream, .track, .trackRequest, .settings, .subscriptions,
      .uplink, .peerEnd:
      200
    case .directory, .candidates: 1500
    case .offerRequest(_, let bytes), .offer(let bytes), .answer(_, let bytes), .announcement(_, let bytes):
      bytes
    }
  }
}
