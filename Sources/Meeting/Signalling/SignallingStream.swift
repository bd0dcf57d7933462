import CrossTraffic
import Network
import Quantity

/// The TCP connection that carries messages in one direction of a path, where signalling shares the path's links.
struct SignallingStream {
  private(set) var sender: TCPSender
  private(set) var receiver: TCPReceiver
  /// Segments from ``firstSegment`` on: their payload [byte], and the messages that are complete with them.
  private var segments: [(bytes: Int, message: SignallingMessage?)] = []
  private var firstSegment: Int64 = 0
  private var acknowledgements: [TCPAcknowledgement] = []
  /// When the pending timer is due.
  var timerAt = SimTime.distantFuture

  private static let parameters = TCPParameters()

  init(at now: SimTime) {
    sender = TCPSender(idle: Self.parameters)
    receiver = TCPReceiver(parameters: Self.parameters)
    sender.start(at: now)
  }

  mutating func append(_ message: SignallingMessage) {
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

  /// The next packet to send now.
  mutating func next(to participant: Int, at now: SimTime) -> Packet? {
    guard let segment = sender.next(at: now) else { return nil }
    let bytes = segments[Int(segment.number - firstSegment)].bytes
    return Packet(
      sentAt: now, size: UInt16(bytes + Int(TCPSegment.headerSize)), sequence: UInt32(segment.number),
      destination: UInt16(participant), kind: PacketKind.signalling.rawValue)
  }

  /// Takes a packet at the end of the path.
  ///
  /// - Returns: the messages that are complete now, in order.
  mutating func receive(_ packet: Packet, at now: SimTime) -> [SignallingMessage] {
    let before = receiver.next
    let segment = TCPSegment(number: Int64(packet.sequence), size: Int32(packet.size), sentAt: packet.sentAt)
    // Every segment is acknowledged at once, as by a receiver in quick-ack mode.
    if let acknowledgement = receiver.receive(segment, at: now) ?? receiver.timeout(at: receiver.deadline) {
      acknowledgements.append(acknowledgement)
    }
    guard receiver.next > before else { return [] }
    return segments[Int(before - firstSegment)..<Int(receiver.next - firstSegment)].compactMap(\.message)
  }

  /// Whether an acknowledgement is to be sent back.
  var hasAcknowledgement: Bool { !acknowledgements.isEmpty }

  /// The oldest acknowledgement has come back.
  mutating func takeAcknowledgement(at now: SimTime) {
    guard !acknowledgements.isEmpty else { return }
    sender.acknowledge(acknowledgements.removeFirst(), at: now)
    let done = Int(min(sender.firstUnacknowledged, receiver.next) - firstSegment)
    segments.removeFirst(done)
    firstSegment += Int64(done)
  }

  mutating func timeOut(at now: SimTime) {
    if sender.deadline <= now { sender.timeout(at: now) }
  }
}

extension SignallingMessage {
  /// Size as TCP payload, with TLS and WebSocket framing [our model: the order of magnitude of protocol buffers and of a
  /// session description; an answer's size is that of a short one].
  var wireBytes: Int {
    switch self {
    case .presence, .announcement: 400
    case .source, .downlink, .demand, .lowStream, .track: 200
    case .directory: 1500
    case .offer(_, let tracks): 1000 + 1200 * tracks
    case .answer: 1500
    }
  }
}
