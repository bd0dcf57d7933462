import Endpoint
package import Ladder
import Media
package import Quantity

/// An encoding up to a temporal layer, in compact form; encoding -1 is none.
package struct CompactLayer: Equatable, BitwiseCopyable {
  package var encoding: Int8
  package var temporal: Int8
  /// Selection of the base layer's frames to forward; `nil` for all.
  package var thinning: FrameThinning?

  package init(encoding: Int8, temporal: Int8, thinning: FrameThinning? = nil) {
    self.encoding = encoding
    self.temporal = temporal
    self.thinning = thinning
  }

  package static let none = CompactLayer(encoding: -1, temporal: -1)
}

/// Position of an encoding's base layer.
package struct BaseLayer: BitwiseCopyable {
  /// Number of the last key frame.
  package var keyFrame: UInt32 = 0
  /// Distance between base-layer frames: 1, 2 or 4.
  package let groupLength: UInt32

  /// Number of a frame that every viewer has finished with.
  package var past: UInt32 { keyFrame &- 2 * groupLength }
}

/// One source as the SFU forwards it to one viewer: the decision, and the layer being forwarded.
package struct ForwardedTrack: BitwiseCopyable {
  /// Last decision.
  package var target = CompactLayer.none
  /// Layer being forwarded.
  package var current = CompactLayer.none
  /// Encoding whose key frame the decision requests, in general the target's; -1 for none.
  package var request: Int8 = -1
  /// Encoding that replaces one that no longer arrives; -1 for none.
  package var substitute: Int8 = -1
  /// Encoding whose key frame it waits for; -1 for none.
  package var awaited: Int8 = -1
  /// Set while a key frame that the viewer has requested has not been forwarded.
  var awaitsKeyFrame = false
  /// Next sequence number towards the viewer.
  package var sequence: UInt32 = 0
  /// Sequence number with which the present encoding began.
  package var firstSequence: UInt32 = 0
  /// Time of the first packet that the viewer was sent; `nil` before.
  package var beganAt: SimTime?
  /// Frame whose packets are forwarded now.
  private var openFrame: UInt32 = .max
  /// Number of the frame towards the viewer, for whom frames that are left out of the base layer leave no gap.
  private(set) var frameNumber: UInt32 = 0
  private var forwardedMiddleLayer = false
  /// Frame of each spatial layer that is forwarded now, in a scalable stream.
  private var openLayers = InlineArray<3, UInt32>(repeating: .max)

  package var isWaiting: Bool { awaited >= 0 }
  /// Encoding to be reached; -1 for none.
  package var aim: Int8 { substitute >= 0 ? substitute : target.encoding }

  /// Decides, once per frame, whether this viewer gets it.
  @inline(__always)
  mutating func openFrame(_ frame: UInt32, _ header: FrameHeader, after base: BaseLayer) {
    openFrame = passes(header) ? frame : .max
    frameNumber = frame
    guard current.thinning != nil, openFrame == frame else { return }
    if let number = thinnedNumber(of: frame, after: base) { frameNumber = number } else { openFrame = .max }
  }

  /// Returns the number towards the viewer of a frame of a thinned base layer; `nil` for one that is left out.
  func thinnedNumber(of frame: UInt32, after base: BaseLayer) -> UInt32? {
    let place = frame &- base.keyFrame
    guard let thinning = current.thinning, place < 1 << 31, place % base.groupLength == 0,
      thinning.keeps(place / base.groupLength)
    else { return nil }
    return base.keyFrame &+ thinning.keptBefore(place / base.groupLength) * base.groupLength
  }

  @inline(__always)
  private mutating func passes(_ header: FrameHeader) -> Bool {
    if header.temporalLayer == 0 { forwardedMiddleLayer = false }
    guard Int8(header.temporalLayer) <= current.temporal else { return false }
    if header.temporalLayer == 1 { forwardedMiddleLayer = true }
    // The last frame of a group depends on the middle layer: after an upward switch within the group it would arrive
    // without its reference.
    return header.temporalLayer < 2 || header.groupPosition != 3 || forwardedMiddleLayer
  }

  /// Notes whether a frame of a scalable stream is forwarded; frames of different layers may overlap.
  mutating func open(_ frame: LayerFrame, isAdmitted: Bool) {
    openLayers[Int(frame.spatial)] = isAdmitted ? frame.number : .max
  }

  /// Checks whether a frame of a scalable stream is forwarded.
  func admits(_ frame: UInt32, spatial: UInt8) -> Bool { openLayers[Int(spatial)] == frame }

  @inline(__always)
  package func isOpen(_ frame: UInt32) -> Bool { openFrame == frame }
}
