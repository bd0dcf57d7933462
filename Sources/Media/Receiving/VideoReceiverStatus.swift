package import Quantity

/// Frequently read part of a video receiver.
package struct VideoReceiverStatus: BitwiseCopyable {
  /// Set while the base layer is complete since a key frame.
  package internal(set) var isDecodable = false
  /// Time when a key frame is requested unless a frame becomes decodable before.
  package internal(set) var keyFrameDueAt = Deadline.never
  /// Number of frames decoded, cumulative as in W3C webrtc-stats.
  package internal(set) var framesDecoded: UInt32 = 0
  /// Number of key frames decoded, cumulative as in W3C webrtc-stats.
  package internal(set) var keyFramesDecoded: UInt32 = 0
  /// Number of freezes, cumulative as in W3C webrtc-stats.
  package internal(set) var freezeCount: UInt32 = 0
  /// Duration of all freezes, cumulative as in W3C webrtc-stats.
  package internal(set) var freezesDuration = SimDuration.zero
  /// Duration of all pauses: frames after which the stream became inactive.
  package internal(set) var pausesDuration = SimDuration.zero

  package init() {}
}
