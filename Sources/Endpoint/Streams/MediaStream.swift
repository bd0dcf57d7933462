import CrossTraffic
import Media
package import Network
package import Quantity
import Transport

/// TCP connection that carries the packets of one direction of a path, in order.
///
/// Each packet is framed by two bytes (RFC 4571) in place of UDP's and IP's headers, and is written at once (no Nagle
/// algorithm, as libwebrtc sets TCP_NODELAY); what the window holds back fills whole segments, as in Linux. Congestion
/// control and recovery are those of cross traffic (`TCPSender`): CUBIC. A packet arrives with the last of its bytes, and
/// those behind a lost segment wait for its retransmission.
///
/// A full send buffer takes no packet: libwebrtc drops it silently, before it counts as sent
/// (`rtc_base/async_tcp_socket.cc`).
package struct MediaStream {
  /// A packet that has not arrived, with the segment that has its last byte.
  private struct Waiting: BitwiseCopyable {
    var packet: Packet
    var lastSegment: Int64
  }

  /// SO_SNDBUF of libwebrtc (`kVideoRtpSendBufferSize` in `media/base/media_constants.cc`) [byte].
  package static let bufferSize = 262_144
  /// Length in front of each packet (RFC 4571) [byte].
  package static let framing = 2
  private static let parameters = TCPParameters()
  /// Size of a full packet as UDP relative to its segment.
  static let efficiency: Double = {
    let full = PacketOverhead.largestRTPPacket + PacketOverhead.srtp
    let datagram = full + PacketOverhead.udp + PacketOverhead.ipv4
    return Double(datagram) / Double(full + framing + Int(TCPSegment.headerSize))
  }()

  private var sender: TCPSender
  private var receiver: TCPReceiver
  /// Payload of the segments from the first that is not acknowledged on, by number [byte].
  private var segments = Ring<Int32>(capacity: 64)
  private var packets = Ring<Waiting>(capacity: 64)
  /// Acknowledgements in transit, by number.
  private var acknowledgements = Ring<TCPAcknowledgement>(capacity: 64)
  /// Number of the first segment that was never sent.
  private var unsent = 0
  /// Bytes that wait for the window.
  private(set) var waitingBytes = 0
  /// Bytes in the send buffer: unsent, or not acknowledged.
  private var buffered = 0
  /// Time of the pending timer event.
  package var timerAt = Deadline.never

  package init(at now: SimTime) {
    sender = TCPSender(idle: Self.parameters)
    receiver = TCPReceiver(parameters: Self.parameters)
    sender.start(at: now)
  }

  package func deallocate() {
    segments.deallocate()
    packets.deallocate()
    acknowledgements.deallocate()
  }

  /// Indicates that the socket takes a packet, whose rest may exceed the buffer.
  package var hasRoom: Bool { buffered < Self.bufferSize }

  /// Time at which either end's timer is due: a retransmission, or a delayed acknowledgement.
  package var deadline: Deadline { min(sender.deadline, receiver.deadline) }

  // MARK: Sender

  /// Writes a packet into the send buffer; a full one drops it.
  package mutating func append(_ packet: Packet) {
    guard hasRoom else { return }
    let largest = Self.parameters.segmentSize
    var rest = Int32(packet.size) - Int32(PacketOverhead.udp + PacketOverhead.ipv4) + Int32(Self.framing)
    buffered += Int(rest)
    waitingBytes += Int(rest)
    let last = segments.tail - 1
    if segments.holds(last), last >= unsent {
      let added = min(rest, largest - segments[last])
      segments[last] += added
      rest -= added
    }
    var count = 0
    while rest > 0 {
      segments.append(min(rest, largest))
      rest -= largest
      count += 1
    }
    sender.extend(by: count)
    packets.append(Waiting(packet: packet, lastSegment: Int64(segments.tail - 1)))
  }

  /// Returns the next segment to send now.
  package mutating func next(to participant: Int, at now: SimTime) -> Packet? {
    guard let segment = sender.next(at: now) else { return nil }
    let number = Int(segment.number)
    if number >= unsent {
      waitingBytes -= Int(segments[number])
      unsent = number + 1
    }
    return Packet(
      sentAt: segment.sentAt, size: UInt16(segments[number] + TCPSegment.headerSize),
      sequence: UInt32(truncatingIfNeeded: number), destination: UInt16(participant),
      kind: PacketKind.streamSegment.rawValue)
  }

  /// Handles an acknowledgement that has returned; those before it were lost or overtaken.
  package mutating func acknowledge(_ packet: Packet, at now: SimTime) {
    let number = Int(packet.sequence)
    guard acknowledgements.holds(number) else { return }
    sender.acknowledge(acknowledgements[number], at: now)
    acknowledgements.removeAll(before: number + 1)
    while segments.head < Int(sender.firstUnacknowledged), let bytes = segments.removeFirst() {
      buffered -= Int(bytes)
    }
  }

  /// Handles the sender's timer, if it is due.
  package mutating func timeOut(at now: SimTime) {
    if sender.deadline.isDue(at: now) { sender.timeout(at: now) }
  }

  // MARK: Receiver

  /// Handles a segment at the end of the path.
  ///
  /// - Returns: the acknowledgement to send back, if one is due at once.
  package mutating func receive(_ packet: Packet, at now: SimTime) -> Packet? {
    let segment = TCPSegment(number: Int64(packet.sequence), size: Int32(packet.size), sentAt: packet.sentAt)
    return answer(receiver.receive(segment, at: now), to: Int(packet.destination), at: now)
  }

  /// Returns the delayed acknowledgement, if it is due.
  package mutating func delayedAcknowledgement(to participant: Int, at now: SimTime) -> Packet? {
    answer(receiver.timeout(at: now), to: participant, at: now)
  }

  private mutating func answer(
    _ acknowledgement: TCPAcknowledgement?, to participant: Int, at now: SimTime
  ) -> Packet? {
    guard let acknowledgement else { return nil }
    acknowledgements.append(acknowledgement)
    return Packet(
      sentAt: now, size: UInt16(acknowledgement.size),
      sequence: UInt32(truncatingIfNeeded: acknowledgements.tail - 1), destination: UInt16(participant),
      kind: PacketKind.streamAcknowledgement.rawValue)
  }

  /// Returns the next packet that has arrived whole, and behind no gap.
  package mutating func takeArrived() -> Packet? {
    guard let first = packets.first, first.lastSegment < receiver.next else { return nil }
    return packets.removeFirst()?.packet
  }
}
