import CrossTraffic
import Media
package import Network
package import Quantity
import Transport

/// TCP connection that carries the packets of one direction of a path, in order.
///
/// Each packet is framed by two bytes (RFC 4571) in place of UDP's and IP's headers, and is written at once (no Nagle
/// algorithm, as libwebrtc sets TCP_NODELAY); what the window holds back fills whole segments, as in Linux. A packet
/// arrives with the last of its bytes, and those behind a lost segment wait for its retransmission.
///
/// A full send buffer accepts no packet: libwebrtc drops it silently, before it counts as sent
/// (`rtc_base/async_tcp_socket.cc`).
package struct MediaStream {
  /// A packet that has not arrived, with the segment that contains its last byte.
  private struct Waiting: BitwiseCopyable {
    var packet: Packet
    var lastSegment: Int64
  }

  /// SO_SNDBUF of libwebrtc (`kVideoRtpSendBufferSize` in `media/base/media_constants.cc`) [byte].
  package static let bufferSize = 262_144
  /// Length in front of each packet (RFC 4571) [byte].
  package static let framing = 2
  /// Size of a full packet over UDP, relative to its size over TCP.
  static let efficiency: Double = {
    let full = PacketOverhead.largestRTPPacket + PacketOverhead.srtp
    let datagram = full + PacketOverhead.udp + PacketOverhead.ipv4
    return Double(datagram) / Double(full + framing + Int(TCPSegment.headerSize))
  }()

  private var connection: TCPConnection
  private var packets = Ring<Waiting>(capacity: 64)
  /// Time of the pending timer event.
  package var timerAt = Deadline.never

  package init(at now: SimTime) { connection = TCPConnection(at: now) }

  package func deallocate() {
    connection.deallocate()
    packets.deallocate()
  }

  /// Bytes that wait for the window.
  var waitingBytes: Int { connection.waitingBytes }

  /// Indicates that the socket accepts a packet, the end of which may exceed the buffer.
  package var hasRoom: Bool { connection.bufferedBytes < Self.bufferSize }

  /// Time at which either end's timer is due: a retransmission, or a delayed acknowledgement.
  package var deadline: Deadline { min(connection.senderDeadline, connection.receiverDeadline) }

  // MARK: Sender

  /// Writes a packet into the send buffer; a full one drops it.
  package mutating func append(_ packet: Packet) {
    guard hasRoom else { return }
    let bytes = Int(packet.size) - PacketOverhead.udp - PacketOverhead.ipv4 + Self.framing
    packets.append(Waiting(packet: packet, lastSegment: connection.append(bytes, fillsLast: true)))
  }

  /// Returns the next segment to send now.
  package mutating func next(to participant: Int, at now: SimTime) -> Packet? {
    connection.next(to: participant, .streamSegment, at: now)
  }

  /// Handles an acknowledgement that has returned.
  package mutating func acknowledge(_ packet: Packet, at now: SimTime) {
    connection.acknowledge(packet, at: now)
  }

  /// Handles the sender's timer, if it is due.
  package mutating func timeOut(at now: SimTime) { connection.timeOut(at: now) }

  // MARK: Receiver

  /// Handles a segment at the end of the path.
  ///
  /// - Returns: the acknowledgement to send back, if one is due at once.
  package mutating func receive(_ packet: Packet, at now: SimTime) -> Packet? {
    guard let acknowledgement = connection.receive(packet, at: now) else { return nil }
    return connection.answer(acknowledgement, to: Int(packet.destination), .streamAcknowledgement, at: now)
  }

  /// Returns the delayed acknowledgement, if it is due.
  package mutating func delayedAcknowledgement(to participant: Int, at now: SimTime) -> Packet? {
    guard let acknowledgement = connection.delayedAcknowledgement(at: now) else { return nil }
    return connection.answer(acknowledgement, to: participant, .streamAcknowledgement, at: now)
  }

  /// Returns the next packet that has arrived completely and in order.
  package mutating func takeArrived() -> Packet? {
    guard let first = packets.first, connection.hasReceived(first.lastSegment) else { return nil }
    return packets.removeFirst()?.packet
  }
}
