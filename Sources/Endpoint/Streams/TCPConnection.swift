import CrossTraffic
import Network
import Quantity
import Transport

/// TCP connection that carries bytes in one direction of a path; its acknowledgements return on the opposite one.
///
/// Congestion control and recovery are those of cross traffic (`TCPSender`): CUBIC. The owner must call ``deallocate()``.
struct TCPConnection {
  private static let parameters = TCPParameters()

  private var sender: TCPSender
  private var receiver: TCPReceiver
  /// Payload of the segments from the first unacknowledged one on, by number [byte].
  private var segments = Ring<Int32>(capacity: 64)
  /// Acknowledgements in transit, by number.
  private var acknowledgements = Ring<TCPAcknowledgement>(capacity: 64)
  /// Number of the first segment that was never sent.
  private var unsent = 0
  /// Bytes that wait for the window.
  private(set) var waitingBytes = 0
  /// Bytes in the send buffer: unsent, or not acknowledged.
  private(set) var bufferedBytes = 0

  init(at now: SimTime) {
    sender = TCPSender(idle: Self.parameters)
    receiver = TCPReceiver(parameters: Self.parameters)
    sender.start(at: now)
  }

  func deallocate() {
    segments.deallocate()
    acknowledgements.deallocate()
  }

  // MARK: Sender

  /// Time at which the sender's timer is due.
  var senderDeadline: Deadline { sender.deadline }

  /// Writes bytes into the send buffer.
  ///
  /// - Parameter fillsLast: `true` for bytes that first fill the last segment, if it waits for the window.
  /// - Returns: number of the segment that contains the last of them.
  mutating func append(_ bytes: Int, fillsLast: Bool) -> Int64 {
    let largest = Self.parameters.segmentSize
    var rest = Int32(bytes)
    bufferedBytes += bytes
    waitingBytes += bytes
    let last = segments.tail - 1
    if fillsLast, segments.holds(last), last >= unsent {
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
    return Int64(segments.tail - 1)
  }

  /// Returns the next segment to send now, as a packet.
  mutating func next(to participant: Int, _ kind: PacketKind, at now: SimTime) -> Packet? {
    guard let segment = sender.next(at: now) else { return nil }
    let number = Int(segment.number)
    if number >= unsent {
      waitingBytes -= Int(segments[number])
      unsent = number + 1
    }
    return Packet(
      sentAt: now, size: UInt16(segments[number] + TCPSegment.headerSize),
      sequence: UInt32(truncatingIfNeeded: number), destination: UInt16(participant), kind: kind.rawValue)
  }

  /// Handles an acknowledgement that has returned; those before it were lost or overtaken.
  mutating func acknowledge(_ packet: Packet, at now: SimTime) {
    let number = Int(packet.sequence)
    guard acknowledgements.holds(number) else { return }
    sender.acknowledge(acknowledgements[number], at: now)
    acknowledgements.removeAll(before: number + 1)
    while segments.head < Int(sender.firstUnacknowledged), let bytes = segments.removeFirst() {
      bufferedBytes -= Int(bytes)
    }
  }

  /// Handles the sender's timer, if it is due.
  mutating func timeOut(at now: SimTime) {
    if sender.deadline.isDue(at: now) { sender.timeout(at: now) }
  }

  // MARK: Receiver

  /// Time at which a delayed acknowledgement is due.
  var receiverDeadline: Deadline { receiver.deadline }

  /// Handles a segment at the end of the path.
  ///
  /// - Returns: the acknowledgement, if one is due at once.
  mutating func receive(_ packet: Packet, at now: SimTime) -> TCPAcknowledgement? {
    receiver.receive(
      TCPSegment(number: Int64(packet.sequence), size: Int32(packet.size), sentAt: packet.sentAt), at: now)
  }

  /// Returns the delayed acknowledgement, if it is due.
  mutating func delayedAcknowledgement(at now: SimTime) -> TCPAcknowledgement? { receiver.timeout(at: now) }

  /// Sends an acknowledgement back, as a packet.
  mutating func answer(
    _ acknowledgement: TCPAcknowledgement, to participant: Int, _ kind: PacketKind, at now: SimTime
  ) -> Packet {
    acknowledgements.append(acknowledgement)
    return Packet(
      sentAt: now, size: UInt16(acknowledgement.size),
      sequence: UInt32(truncatingIfNeeded: acknowledgements.tail - 1), destination: UInt16(participant),
      kind: kind.rawValue)
  }

  /// Checks whether a segment has arrived, and all before it.
  func hasReceived(_ segment: Int64) -> Bool { segment < receiver.next }
}
