import Media
import Quantity

/// The part of a frame's description that every packet of it carries.
struct FrameHeader {
  var temporalLayer: UInt8
  /// Place within the group of four that an L1T3 pattern repeats.
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

/// An encoding up to a temporal layer, small; encoding -1 is none.
struct CompactLayer: Equatable, BitwiseCopyable {
  var encoding: Int8
  var temporal: Int8

  static let none = CompactLayer(encoding: -1, temporal: -1)
}

/// One source as one viewer gets it: what was decided, what is being forwarded, and what arrives.
struct Track: BitwiseCopyable {
  /// Decision.
  var target = CompactLayer.none
  /// Effect at the SFU.
  var current = CompactLayer.none
  /// What the viewer would get if nothing were short: its encoding (-1 for none) and its rate.
  var desiredEncoding: Int8 = -1
  var desiredRate = BitRate.zero
  /// Waits for a key frame of the target's encoding.
  var isWaiting = false
  var sequence: UInt32 = 0
  private var openFrame: UInt32 = .max
  private var forwardedMiddleLayer = false

  /// Effect at the viewer.
  /// What its receiver says of itself; the receiver is too large to stand here.
  var status = VideoReceiverStatus()
  var hasSequence = false
  /// Whether packets are missing that may still come.
  var hasMissing = false
  var highestSequence: UInt32 = 0
  /// Sequence numbers from the first that came to the highest, since the beginning.
  var packetsNumbered: Int64 = 0
  /// Packets that the sequence numbers missed since the beginning, repaired later or not, as libwebrtc counts W3C
  /// `packetsLost`.
  var packetsLost: UInt32 = 0
  /// Over the current interval.
  var bytes: Int64 = 0
  var packets: Int32 = 0
  var frames: Int32 = 0
  var format: UInt16 = .max
  private var lostMark: UInt32 = 0
  private var freezesMark: UInt32 = 0
  private var freezeTimeMark = SimDuration.zero
  /// Since the beginning.
  var wantedSince: Int64 = -1
  var firstFrameAt: Int64 = -1
  var frameDelaySum: Int64 = 0
  var frameDelayMaximum: Int64 = 0

  /// Decides once a frame whether this viewer gets it.
  @inline(__always)
  mutating func openFrame(_ frame: UInt32, _ header: FrameHeader) {
    openFrame = passes(header) ? frame : .max
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

  var lostInInterval: UInt32 { packetsLost - lostMark }
  var freezesInInterval: UInt32 { status.freezeCount - freezesMark }
  var freezeTimeInInterval: SimDuration { status.freezesDuration - freezeTimeMark }

  /// Begins another interval of the receiver's counters, which run on.
  mutating func markReceiver() {
    lostMark = packetsLost
    freezesMark = status.freezeCount
    freezeTimeMark = status.freezesDuration
  }

  /// The viewer's end stops on purpose, or begins anew.
  mutating func stopReceiving() {
    hasSequence = false
    hasMissing = false
  }

  @inline(__always)
  func isOpen(_ frame: UInt32) -> Bool { openFrame == frame }
}
