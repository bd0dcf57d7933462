/// The part of a frame's description that every packet of it carries.
public struct FrameHeader {
  /// Temporal layer, from 0.
  public var temporalLayer: UInt8
  /// Place within the group of four frames that an L1T3 pattern repeats.
  public var groupPosition: UInt8
  /// Set for a key frame.
  public var isKeyFrame: Bool

  /// Creates a header; both places are below 4.
  @inlinable @inline(__always)
  public init(temporalLayer: Int, groupPosition: Int, isKeyFrame: Bool) {
    self.temporalLayer = UInt8(truncatingIfNeeded: temporalLayer)
    self.groupPosition = UInt8(truncatingIfNeeded: groupPosition)
    self.isKeyFrame = isKeyFrame
  }

  /// Reads a header from a packet's flags.
  @inlinable @inline(__always)
  public init(flags: UInt8) {
    temporalLayer = flags & 3
    groupPosition = flags >> 2 & 3
    isKeyFrame = flags & 16 != 0
  }

  /// Header as a packet's flags.
  @inlinable @inline(__always)
  public var flags: UInt8 { temporalLayer | groupPosition << 2 | (isKeyFrame ? 16 : 0) }
}
