import CrossTraffic
import Network
import Quantity

/// TCP connection that carries messages in one direction of a path, where signalling shares the path's links.
struct SignallingStream {
  package private(set) var sender: TCPSender
  package private(set) var receiver: TCPReceiver
  /// Segments from ``firstSegment`` on: their payload [byte], and the message that each completes.
  private var segments: [(bytes: Int, message: SignallingMessage?)] = []
  /// Number of the first segment that is kept.
  private var firstSegment: Int64 = 0
  /// Acknowledgements in transit, from number ``firstAcknowledgement`` on.
  private var acknowledgements: [TCPAcknowledgement] = []
  /// Number of the first acknowledgement in transit.
  private var firstAcknowledgement: UInt32 = 0
  /// Last acknowledgement, until it is sent.
  private var pending: TCPAcknowledgement?
  /// Time at which the pending timer is due.
  package var timerAt = Deadline.never

  private static let parameters = TCPParameters()

  init(at now: SimTime) {
    sender = TCPSender(idle: Self.parameters)
    receiver = TCPReceiver(parameters: Self.parameters)
    sender.start(at: now)
  }

  package mutating func append(_ message: SignallingMessage) {
    let largest = Int(Self.parameters.segmentSize)
    var rest = message.wireBytes
    var count = 1
    while rest > largest {
      segments.append((largest, nil))
      rest -= largest
      count += 1
    }
    segments.append((rest, message))
    sender.extend(by: count)
  }

  /// Returns the next packet to send now.
  package mutating func next(to participant: Int, at now: SimTime) -> Packet? {
    guard let segment = sender.next(at: now) else { return nil }
    let bytes = segments[Int(segment.number - firstSegment)].bytes
    return Packet(
      sentAt: now, size: UInt16(bytes + Int(TCPSegment.headerSize)), sequence: UInt32(segment.number),
      destination: UInt16(participant), kind: PacketKind.signalling.rawValue)
  }

  /// Handles a packet at the end of the path.
  ///
  /// - Returns: the messages that are now complete, in order.
  package mutating func receive(_ packet: Packet, at now: SimTime) -> [SignallingMessage] {
    let before = receiver.next
    let segment = TCPSegment(number: Int64(packet.sequence), size: Int32(packet.size), sentAt: packet.sentAt)
    // Every segment is acknowledged at once, as by a receiver in quick-ack mode.
    if let acknowledgement = receiver.receive(segment, at: now)
      ?? receiver.deadline.time.flatMap({ receiver.timeout(at: $0) })
    {
      pending = acknowledgement
    }
    guard receiver.next > before else { return [] }
    return segments[Int(before - firstSegment)..<Int(receiver.next - firstSegment)].compactMap(\.message)
  }

  /// Returns the acknowledgement to send back now.
  package mutating func acknowledgement(to participant: Int, at now: SimTime) -> Packet? {
    guard let acknowledgement = pending.take() else { return nil }
    acknowledgements.append(acknowledgement)
    return Packet(
      sentAt: now, size: UInt16(acknowledgement.size),
      sequence: firstAcknowledgement &+ UInt32(acknowledgements.count - 1),
      destination: UInt16(participant), kind: PacketKind.signallingAcknowledgement.rawValue)
  }

  /// Handles an acknowledgement that has returned; those before it were lost.
  package mutating func acknowledge(_ packet: Packet, at now: SimTime) {
    let place = Int(packet.sequence &- firstAcknowledgement)
    guard place < acknowledgements.count else { return }
    sender.acknowledge(acknowledgements[place], at: now)
    acknowledgements.removeFirst(place + 1)
    firstAcknowledgement &+= UInt32(place + 1)
    let done = Int(min(sender.firstUnacknowledged, receiver.next) - firstSegment)
    segments.removeFirst(done)
    firstSegment += Int64(done)
  }

  package mutating func timeOut(at now: SimTime) {
    if sender.deadline.isDue(at: now) { sender.timeout(at: now) }
  }
}

extension SignallingMessage {
  /// Size as TCP payload, with TLS and WebSocket framing [our model: the order of magnitude of protocol buffers and of
  /// a session description].
  var wireBytes: Int {
    switch self {
    case .presence, .announcement: 400
    case .source, .downlink, .demand, .lowStream, .track, .trackRequest, .settings, .subscriptions,
      .uplink:
      200
    case .directory, .candidates: 1500
    case .offerRequest(_, let bytes), .offer(let bytes), .answer(_, let bytes): bytes
    }
  }
}
