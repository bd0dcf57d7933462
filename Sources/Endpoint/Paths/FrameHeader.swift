package import Ladder
package import Network

/// The part of a frame's description that every packet of it carries.
public struct FrameHeader {
  /// Temporal layer, from 0.
  public var temporalLayer: UInt8
  /// Place within the group of four frames that an L1T3 pattern repeats.
  public var groupPosition: UInt8
  /// Set for a key frame; in a scalable stream, for every frame of a key picture.
  public var isKeyFrame: Bool
  /// Set for the frame with which its picture ends, in a scalable stream (RTP's marker).
  public var endsPicture = false
  /// Number of spatial layers that are on, in a scalable stream; 0 in any other.
  public var activeLayers: UInt8 = 0

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
  /// Number of the frame in its packets: its picture's, and the distance to its reference in the upper byte. Sixteen
  /// million pictures take six days at 30 a second.
  package var number: UInt32 { picture & 0xFF_FFFF | UInt32(back) << 24 }

  /// Reads the frame of which a packet is part.
  ///
  /// - Parameter spatial: spatial layer, from the packet's encoding.
  package init(_ packet: Packet, spatial: Int) {
    let header = FrameHeader(flags: packet.flags)
    self.init(
      picture: packet.frame & 0xFF_FFFF, back: UInt8(truncatingIfNeeded: packet.frame >> 24),
      spatial: UInt8(spatial), temporal: header.temporalLayer, position: header.groupPosition,
      activeLayers: header.activeLayers, isKeyPicture: header.isKeyFrame)
  }
}
