public import Quantity

/// Packet: its size on the wire and a label whose meaning the meeting defines.
///
/// 32 bytes, without payload; links read ``size`` only. The label is packed into whole words because a struct of many
/// small fields is copied field by field, several times per packet.
@frozen
public struct Packet: BitwiseCopyable, Sendable {
  /// Time of first transmission.
  public var sentAt: SimTime
  /// Frame, then sequence.
  @usableFromInline var order: UInt64
  /// Stream, size, destination, index.
  @usableFromInline var address: UInt64
  /// Count, format, kind, connection, flags, transport sequence.
  @usableFromInline var label: UInt64

  /// Creates a packet; the defaults suit a stream with one packet per frame.
  @inlinable @inline(__always)
  public init(
    sentAt: SimTime, size: UInt16, stream: UInt16 = 0, sequence: UInt32 = 0, destination: UInt16 = 0,
    kind: UInt8 = 0, flags: UInt8 = 0, frame: UInt32 = 0, index: UInt16 = 0, count: UInt16 = 1,
    format: UInt16 = 0
  ) {
    self.sentAt = sentAt
    order = UInt64(frame) | UInt64(sequence) << 32
    address =
      UInt64(stream) | UInt64(size) << 16 | UInt64(destination) << 32 | UInt64(index) << 48
    label = UInt64(count) | UInt64(format) << 16 | UInt64(kind & 0xF) << 32 | UInt64(flags) << 40
  }

  /// Frame number within the stream.
  @inlinable
  public var frame: UInt32 {
    get { order.bits(at: 0) }
    set { order.setBits(at: 0, to: newValue) }
  }

  /// Sequence number within the current sender's stream.
  @inlinable
  public var sequence: UInt32 {
    get { order.bits(at: 32) }
    set { order.setBits(at: 32, to: newValue) }
  }

  /// Stream: an encoding or a voice.
  @inlinable
  public var stream: UInt16 {
    get { address.bits(at: 0) }
    set { address.setBits(at: 0, to: newValue) }
  }

  /// Size on the wire, IP header included [byte].
  @inlinable
  public var size: UInt16 {
    get { address.bits(at: 16) }
    set { address.setBits(at: 16, to: newValue) }
  }

  /// Participant at the non-SFU end.
  @inlinable
  public var destination: UInt16 {
    get { address.bits(at: 32) }
    set { address.setBits(at: 32, to: newValue) }
  }

  /// Index within the frame, from 0.
  @inlinable
  public var index: UInt16 {
    get { address.bits(at: 48) }
    set { address.setBits(at: 48, to: newValue) }
  }

  /// Number of packets in the frame.
  @inlinable
  public var count: UInt16 {
    get { label.bits(at: 0) }
    set { label.setBits(at: 0, to: newValue) }
  }

  /// Index of the picture size in the meeting's table.
  @inlinable
  public var format: UInt16 {
    get { label.bits(at: 16) }
    set { label.setBits(at: 16, to: newValue) }
  }

  /// Kind of packet, such as video, voice or request; below 16.
  @inlinable
  public var kind: UInt8 {
    get { kindAndConnection & 0xF }
    set { kindAndConnection = kindAndConnection & 0xF0 | newValue & 0xF }
  }

  /// Participant's connection that carries the packet, numbered modulo 16.
  @inlinable
  public var connection: UInt8 {
    get { kindAndConnection >> 4 }
    set { kindAndConnection = kindAndConnection & 0xF | newValue << 4 }
  }

  @inlinable
  var kindAndConnection: UInt8 {
    get { label.bits(at: 32) }
    set { label.setBits(at: 32, to: newValue) }
  }

  /// Flag bits.
  @inlinable
  public var flags: UInt8 {
    get { label.bits(at: 40) }
    set { label.setBits(at: 40, to: newValue) }
  }

  /// Transport-wide sequence number of the current sender, modulo 2^16 as on the wire.
  @inlinable
  public var transportSequence: UInt16 {
    get { label.bits(at: 48) }
    set { label.setBits(at: 48, to: newValue) }
  }
}

extension UInt64 {
  /// Reads a bit field.
  @inlinable @inline(__always)
  func bits<Field: FixedWidthInteger & UnsignedInteger>(at position: UInt64) -> Field {
    Field(truncatingIfNeeded: self &>> position)
  }

  /// Writes a bit field.
  @inlinable @inline(__always)
  mutating func setBits<Field: FixedWidthInteger & UnsignedInteger>(at position: UInt64, to value: Field) {
    self = self & ~(UInt64(Field.max) &<< position) | UInt64(value) &<< position
  }
}
