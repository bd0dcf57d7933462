public import Quantity

/// Packet of a video frame, as seen by a receiver.
///
/// 24 bytes in whole words: a struct of many small fields is copied field by field, several times per packet.
@frozen
public struct FramePacket: BitwiseCopyable {
  /// Capture time of the frame.
  public var capturedAt: SimTime
  /// Frame, stream, count.
  @usableFromInline var number: UInt64
  /// Format, size, temporal layer, group position, key frame, group length.
  @usableFromInline var kind: UInt64

  /// Creates a packet of a frame.
  @inlinable @inline(__always)
  public init(
    stream: UInt16, frame: UInt32, count: UInt16, format: UInt16 = 0, size: UInt16 = 1200,
    temporalLayer: UInt8,
    groupPosition: UInt8, isKeyFrame: Bool, groupLength: UInt8, capturedAt: SimTime
  ) {
    number = UInt64(frame) | UInt64(stream) << 32 | UInt64(count) << 48
    kind =
      UInt64(format) | UInt64(size) << 16 | UInt64(temporalLayer) << 32 | UInt64(groupPosition) << 40
      | (isKeyFrame ? 1 << 48 : 0) | UInt64(groupLength) << 56
    self.capturedAt = capturedAt
  }

  /// Frame number within the stream.
  @inlinable public var frame: UInt32 { UInt32(truncatingIfNeeded: number) }
  /// Encoding, as numbered by the SFU.
  @inlinable public var stream: UInt16 { UInt16(truncatingIfNeeded: number >> 32) }
  /// Number of packets in the frame.
  @inlinable public var count: UInt16 { UInt16(truncatingIfNeeded: number >> 48) }
  /// Index of the picture size in the meeting's table.
  @inlinable public var format: UInt16 { UInt16(truncatingIfNeeded: kind) }
  /// Size on the wire, without the overhead of a retransmission [byte].
  @inlinable public var size: UInt16 { UInt16(truncatingIfNeeded: kind >> 16) }
  /// Temporal layer of the frame, 0 for the base layer.
  @inlinable public var temporalLayer: UInt8 { UInt8(truncatingIfNeeded: kind >> 32) }
  /// Position of the frame in its temporal group, 0 for the base layer's.
  @inlinable public var groupPosition: UInt8 { UInt8(truncatingIfNeeded: kind >> 40) }
  /// `true` if it belongs to a key frame.
  @inlinable public var isKeyFrame: Bool { kind >> 48 & 1 != 0 }
  /// Distance between base-layer frames: 1, 2 or 4.
  @inlinable public var groupLength: UInt8 { UInt8(truncatingIfNeeded: kind >> 56) }

  /// Checks whether another packet belongs to the same frame.
  @inlinable @inline(__always)
  public func isOfSameFrame(as other: FramePacket) -> Bool { (number ^ other.number) << 16 == 0 }
}

/// Frame that a receiver renders.
package struct ShownFrame: BitwiseCopyable, Equatable {
  package var frame: UInt32
  package var format: UInt16
  package var isKeyFrame: Bool
  /// Number of its packets.
  package var packets: UInt16
  /// Size of its packets on the wire, each counted once and as first sent [byte].
  package var bytes: UInt32
  package var capturedAt: SimTime
  package var renderedAt: SimTime
}
