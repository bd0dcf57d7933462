package import Quantity

/// What a link carries: its size on the wire, and a label that the meeting gives a meaning.
///
/// 32 bytes without any payload; a link looks at ``size`` alone.
@frozen
package struct Packet: BitwiseCopyable, Sendable {
  /// When it was first sent.
  package var sentAt: SimTime
  /// Number of the frame that it is part of, within its stream.
  package var frame: UInt32
  /// Sequence number within the stream of its present sender.
  package var sequence: UInt32
  /// The stream: an encoding, a voice.
  package var stream: UInt16
  /// Size on the wire, IP header included [byte].
  package var size: UInt16
  /// The participant at the end that is not the SFU.
  package var destination: UInt16
  /// Place within the frame, from 0, and the number of packets that the frame has.
  package var index: UInt16
  package var count: UInt16
  /// Number of the picture size in the meeting's table.
  package var format: UInt16
  /// What it is: video, voice, a request.
  package var kind: UInt8
  /// Further label bits.
  package var flags: UInt8

  @inlinable @inline(__always)
  package init(
    sentAt: SimTime, size: UInt16, stream: UInt16 = 0, sequence: UInt32 = 0, destination: UInt16 = 0,
    kind: UInt8 = 0, flags: UInt8 = 0, frame: UInt32 = 0, index: UInt16 = 0, count: UInt16 = 1,
    format: UInt16 = 0
  ) {
    self.sentAt = sentAt
    self.frame = frame
    self.sequence = sequence
    self.stream = stream
    self.size = size
    self.destination = destination
    self.index = index
    self.count = count
    self.format = format
    self.kind = kind
    self.flags = flags
  }
}
