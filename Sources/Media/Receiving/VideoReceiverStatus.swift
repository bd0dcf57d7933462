package import Quantity

/// The part of a video receiver that is looked at often.
package struct VideoReceiverStatus: BitwiseCopyable {
  /// Whether the base layer is unbroken since a key frame.
  package internal(set) var isDecodable = false
  /// A key frame is asked for when no frame can be decoded by then.
  package internal(set) var keyFrameDueAt = SimTime.distantFuture
  /// Since the beginning, as W3C webrtc-stats has them.
  package internal(set) var framesDecoded: UInt32 = 0
  package internal(set) var keyFramesDecoded: UInt32 = 0
  package internal(set) var freezeCount: UInt32 = 0
  package internal(set) var freezesDuration = SimDuration.zero

  package init() {}
}
