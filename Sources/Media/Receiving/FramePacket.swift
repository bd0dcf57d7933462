public import Quantity

/// A packet of a video frame, as seen by a receiver.
///
/// 24 bytes in whole words: a struct of many small fields is copied field by field, several times per packet.
@frozen
public struct FramePacket: BitwiseCopyable {
  /// When its frame was captured.
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
  /// The encoding, as the SFU numbers them.
  @inlinable public var stream: UInt16 { UInt16(truncatingIfNeeded: number >> 32) }
  /// Packets of the frame.
  @inlinable public var count: UInt16 { UInt16(truncatingIfNeeded: number >> 48) }
  /// Index of the picture size in the meeting's table.
  @inlinable public var format: UInt16 { UInt16(truncatingIfNeeded: kind) }
  /// Size on the wire, without what a retransmission adds [byte].
  @inlinable public var size: UInt16 { UInt16(truncatingIfNeeded: kind >> 16) }
  /// Temporal layer of the frame, 0 for the base layer.
  @inlinable public var temporalLayer: UInt8 { UInt8(truncatingIfNeeded: kind >> 32) }
  /// Place of the frame in its temporal group, 0 for the base layer's.
  @inlinable public var groupPosition: UInt8 { UInt8(truncatingIfNeeded: kind >> 40) }
  /// Whether it is of a key frame.
  @inlinable public var isKeyFrame: Bool { kind >> 48 & 1 != 0 }
  /// Distance between base-layer frames: 1, 2 or 4.
  @inlinable public var groupLength: UInt8 { UInt8(truncatingIfNeeded: kind >> 56) }

  /// Whether another packet is of the same frame.
  @inlinable @inline(__always)
  public func isOfSameFrame(as other: FramePacket) -> Bool { (number ^ other.number) << 16 == 0 }
}

/// A frame that a receiver renders.
package struct ShownFrame: BitwiseCopyable, Equatable {
  package var frame: UInt32
  package var format: UInt16
  package var isKeyFrame: Bool
  /// Number of its packets, and what they take on the wire, each once and as sent first [byte].
  package var packets: UInt16
  package var bytes: UInt32
  package var capturedAt: SimTime
  package var renderedAt: SimTime
}
