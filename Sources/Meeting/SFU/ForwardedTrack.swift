import Ladder
import Media

/// An encoding up to a temporal layer, small; encoding -1 is none.
struct CompactLayer: Equatable, BitwiseCopyable {
  var encoding: Int8
  var temporal: Int8
  /// Which frames of the base layer are forwarded; `nil` for all.
  var thinning: FrameThinning?

  static let none = CompactLayer(encoding: -1, temporal: -1)
}

/// Where the base layer of an encoding stands.
struct BaseLayer: BitwiseCopyable {
  /// Number of the last key frame.
  var keyFrame: UInt32 = 0
  /// Distance between base-layer frames: 1, 2 or 4.
  let groupLength: UInt32

  /// The number of a frame that every viewer has done with.
  var past: UInt32 { keyFrame &- 2 * groupLength }
}

/// One source as the SFU forwards it to one viewer: what was decided, and what is being forwarded.
struct ForwardedTrack: BitwiseCopyable {
  /// The last decision.
  var target = CompactLayer.none
  /// What packets are forwarded of.
  var current = CompactLayer.none
  /// The encoding whose key frame the decision asks for, in general the target's; -1 for none.
  var request: Int8 = -1
  /// The encoding that stands in for one that no longer arrives; -1 for none.
  var substitute: Int8 = -1
  /// The encoding whose key frame it waits for; -1 for none.
  var awaited: Int8 = -1
  /// Whether the viewer has asked for a key frame that was not forwarded yet.
  var awaitsKeyFrame = false
  /// The next sequence number towards the viewer.
  var sequence: UInt32 = 0
  /// The number with which the encoding that is forwarded now began.
  var firstSequence: UInt32 = 0
  private var openFrame: UInt32 = .max
  /// Its number towards the viewer, for whom frames that are left out of the base layer leave no gap.
  private(set) var frameNumber: UInt32 = 0
  private var forwardedMiddleLayer = false

  var isWaiting: Bool { awaited >= 0 }
  /// The encoding that it is to come to; -1 for none.
  var aim: Int8 { substitute >= 0 ? substitute : target.encoding }

  /// Decides once a frame whether this viewer gets it.
  @inline(__always)
  mutating func openFrame(_ frame: UInt32, _ header: FrameHeader, after base: BaseLayer) {
    openFrame = passes(header) ? frame : .max
    frameNumber = frame
    guard current.thinning != nil, openFrame == frame else { return }
    if let number = thinnedNumber(of: frame, after: base) { frameNumber = number } else { openFrame = .max }
  }

  /// The number towards the viewer of a frame of a base layer that is thinned; `nil` for one that is left out.
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
    // The last frame of a group builds on the middle layer: after an upward switch within the group it would
    // arrive without its reference.
    return header.temporalLayer < 2 || header.groupPosition != 3 || forwardedMiddleLayer
  }

  @inline(__always)
  func isOpen(_ frame: UInt32) -> Bool { openFrame == frame }
}
