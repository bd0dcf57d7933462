package import Quantity

/// The frequently read part of a video receiver.
package struct VideoReceiverStatus: BitwiseCopyable {
  /// Whether the base layer is complete since a key frame.
  package internal(set) var isDecodable = false
  /// When a key frame is requested unless a frame becomes decodable before.
  package internal(set) var keyFrameDueAt = Deadline.never
  /// Cumulative, as in W3C webrtc-stats.
  package internal(set) var framesDecoded: UInt32 = 0
  package internal(set) var keyFramesDecoded: UInt32 = 0
  package internal(set) var freezeCount: UInt32 = 0
  package internal(set) var freezesDuration = SimDuration.zero

  package init() {}
}
