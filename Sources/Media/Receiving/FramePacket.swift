package import Quantity

/// A packet of a video frame, as seen by a receiver.
package struct FramePacket: BitwiseCopyable {
  // The largest first, so that it takes 24 bytes.
  package var capturedAt: SimTime
  package var frame: UInt32
  package var stream: UInt16
  package var count: UInt16
  /// Index of the picture size in the meeting's table.
  package var format: UInt16
  /// Size on the wire, without what a retransmission adds [byte].
  package var size: UInt16
  package var temporalLayer: UInt8
  package var groupPosition: UInt8
  package var isKeyFrame: Bool
  /// Distance between base-layer frames: 1, 2 or 4.
  package var groupLength: UInt8

  package init(
    stream: UInt16, frame: UInt32, count: UInt16, format: UInt16 = 0, size: UInt16 = 1200,
    temporalLayer: UInt8,
    groupPosition: UInt8, isKeyFrame: Bool, groupLength: UInt8, capturedAt: SimTime
  ) {
    self.stream = stream
    self.frame = frame
    self.count = count
    self.format = format
    self.size = size
    self.temporalLayer = temporalLayer
    self.groupPosition = groupPosition
    self.isKeyFrame = isKeyFrame
    self.groupLength = groupLength
    self.capturedAt = capturedAt
  }
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
