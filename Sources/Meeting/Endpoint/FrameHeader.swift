/// The part of a frame's description that every packet of it carries.
struct FrameHeader {
  var temporalLayer: UInt8
  /// Place within the group of four frames that an L1T3 pattern repeats.
  var groupPosition: UInt8
  var isKeyFrame: Bool

  @inline(__always)
  init(temporalLayer: Int, groupPosition: Int, isKeyFrame: Bool) {
    self.temporalLayer = UInt8(truncatingIfNeeded: temporalLayer)
    self.groupPosition = UInt8(truncatingIfNeeded: groupPosition)
    self.isKeyFrame = isKeyFrame
  }

  @inline(__always)
  init(flags: UInt8) {
    temporalLayer = flags & 3
    groupPosition = flags >> 2 & 3
    isKeyFrame = flags & 16 != 0
  }

  @inline(__always)
  var flags: UInt8 { temporalLayer | groupPosition << 2 | (isKeyFrame ? 16 : 0) }
}
