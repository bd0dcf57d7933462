import Endpoint
package import Ladder
import Media
package import Quantity

/// An encoding up to a temporal layer, in compact form; encoding -1 means none.
package struct CompactLayer: Equatable, BitwiseCopyable {
  package var encoding: Int8
  package var temporal: Int8
  /// Selection of base-layer frames to forward; `nil` for all.
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

  /// Number of a frame that every viewer has already passed.
  package var past: UInt32 { keyFrame &- 2 * groupLength }
}

/// One source as the SFU forwards it to one viewer: the decision, and the layer being forwarded.
package struct ForwardedTrack: BitwiseCopyable {
  /// Last decision.
  package var target = CompactLayer.none
  /// Layer being forwarded.
  package var current = CompactLayer.none
  /// Encoding whose key frame the decision requests, usually the target's; -1 for none.
  package var request: Int8 = -1
  /// Encoding that replaces one that no longer arrives; -1 for none.
  package var substitute: Int8 = -1
  /// Encoding whose key frame is awaited; -1 for none.
  package var awaited: Int8 = -1
  /// Set until a key frame that the viewer has requested is forwarded.
  var awaitsKeyFrame = false
  /// Set if a lack of bandwidth keeps the decision low, in a server that stops a track while it waits for a lower
  /// encoding.
  var isShort = false
  /// Next sequence number on the viewer's side.
  package var sequence: UInt32 = 0
  /// Sequence number at which the current encoding began.
  package var firstSequence: UInt32 = 0
  /// Time at which the first packet was sent to the viewer; `nil` before.
  package var beganAt: SimTime?
  /// Frame whose packets are being forwarded.
  private var openFrame: UInt32 = .max
  /// Frame number on the viewer's side, in which frames dropped from the base layer leave no gap.
  private(set) var frameNumber: UInt32 = 0
  private var forwardedMiddleLayer = false
  /// Frame of each spatial layer that is being forwarded, in a scalable stream.
  private var openLayers = InlineArray<3, UInt32>(repeating: .max)

  package var isWaiting: Bool { awaited >= 0 }
  /// `true` while a track that is short of bandwidth is to change to a lower encoding.
  var isBeingRelieved: Bool { isShort && aim < current.encoding }
  /// Highest stream of which packets are sent again: a track that is short of bandwidth gets none of an encoding above
  /// the forwarded one (LiveKit's forwarder.go, FilterRTX); `nil` without a limit.
  ///
  /// - Parameter first: stream of the source's lowest encoding.
  func highestRepaired(first: Int) -> Int? { isShort ? first + Int(current.encoding) : nil }

  /// Encoding to reach; -1 for none.
  package var aim: Int8 { substitute >= 0 ? substitute : target.encoding }

  /// Decides, once per frame, whether it is forwarded to this viewer.
  @inline(__always)
  mutating func openFrame(_ frame: UInt32, _ header: FrameHeader, after base: BaseLayer) {
    openFrame = passes(header) ? frame : .max
    frameNumber = frame
    guard current.thinning != nil, openFrame == frame else { return }
    if let number = thinnedNumber(of: frame, after: base) { frameNumber = number } else { openFrame = .max }
  }

  /// Returns the viewer-side number of a frame of a thinned base layer; `nil` for a dropped frame.
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
    // The last frame of a group depends on the middle layer: after an upward switch within the group its reference
    // would be missing.
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
