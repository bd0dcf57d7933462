public import Quantity

/// What a link carries: its size on the wire, and a label that the meeting gives a meaning.
///
/// 32 bytes without any payload; a link looks at ``size`` alone.
@frozen
public struct Packet: BitwiseCopyable, Sendable {
  /// When it was first sent.
  public var sentAt: SimTime
  /// Number of the frame that it is part of, within its stream.
  public var frame: UInt32
  /// Sequence number within the stream of its present sender.
  public var sequence: UInt32
  /// The stream: an encoding, a voice.
  public var stream: UInt16
  /// Size on the wire, IP header included [byte].
  public var size: UInt16
  /// The participant at the end that is not the SFU.
  public var destination: UInt16
  /// Place within the frame, from 0.
  public var index: UInt16
  /// Number of packets that the frame has.
  public var count: UInt16
  /// Number of the picture size in the meeting's table.
  public var format: UInt16
  /// What it is: video, voice, a request.
  public var kind: UInt8
  /// Further label bits.
  public var flags: UInt8

  /// Makes a packet; what is left out is the label of a stream with one packet a frame.
  @inlinable @inline(__always)
  public init(
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
