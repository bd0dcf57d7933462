package import Ladder
package import Network

/// The part of a frame's description that each of its packets carries.
public struct FrameHeader {
  /// Temporal layer, from 0.
  public var temporalLayer: UInt8
  /// Place within the group of four frames that an L1T3 pattern repeats.
  public var groupPosition: UInt8
  /// Set for a key frame; in a scalable stream, for every frame of a key picture.
  public var isKeyFrame: Bool
  /// Set for the last frame of a picture in a scalable stream (RTP's marker).
  public var endsPicture = false
  /// Number of active spatial layers in a scalable stream; 0 in any other.
  public var activeLayers: UInt8 = 0

  /// Creates a header; temporal layer and group position are below 4.
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
    endsPicture = flags & 32 != 0
    activeLayers = flags >> 6
  }

  /// Header as a packet's flags.
  @inlinable @inline(__always)
  public var flags: UInt8 {
    temporalLayer | groupPosition << 2 | (isKeyFrame ? 16 : 0) | (endsPicture ? 32 : 0) | activeLayers << 6
  }
}

extension FrameHeader {
  /// Creates the header of a scalable stream's frame.
  package init(_ frame: LayerFrame, endsPicture: Bool) {
    self.init(
      temporalLayer: Int(frame.temporal), groupPosition: Int(frame.position), isKeyFrame: frame.isKeyPicture)
    self.endsPicture = endsPicture
    activeLayers = frame.activeLayers
  }
}

extension LayerFrame {
  /// Frame number that the packets carry: the picture's number, with the distance to the reference in the upper byte,
  /// whose highest bit stands for a dropped lower frame. Sixteen million pictures take six days at 30 a second.
  package var number: UInt32 {
    picture & 0xFF_FFFF | UInt32(back & 0x7F) << 24 | (hasLowerFrame ? 0 : 1 << 31)
  }

  /// Reads the frame to which a packet belongs.
  ///
  /// - Parameter spatial: spatial layer, from the packet's encoding.
  package init(_ packet: Packet, spatial: Int) {
    let header = FrameHeader(flags: packet.flags)
    self.init(
      picture: packet.frame & 0xFF_FFFF, back: UInt8(truncatingIfNeeded: packet.frame >> 24) & 0x7F,
      spatial: UInt8(spatial), temporal: header.temporalLayer, position: header.groupPosition,
      activeLayers: header.activeLayers, isKeyPicture: header.isKeyFrame,
      hasLowerFrame: packet.frame >> 31 == 0)
  }
}
