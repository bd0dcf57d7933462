package import Ladder
package import Media
package import Quantity

/// A change to a sender's parameters during a call: `RTCRtpSender.setParameters` (W3C webrtc), and
/// `MediaStreamTrack.applyConstraints` for the capture. Parameters that are `nil` stay unchanged.
package struct SendChange: Sendable {
  /// Limit on a source, or on some of its encodings.
  package enum Limit<Value: Sendable>: Sendable {
    /// Removes the limits of the source and of its encodings.
    case lifted
    case source(Value)
    /// Limits by the encodings' indices in the source.
    case encodings([(index: Int, value: Value)])
  }

  /// Format of the capture, with the source's ladder for it.
  package struct Capture: Sendable {
    package var format: VideoFormat
    package var ladder: Ladder

    package init(format: VideoFormat, ladder: Ladder) {
      self.format = format
      self.ladder = ladder
    }
  }

  /// Set for the screen share instead of the main video.
  package var isScreen: Bool
  /// Event detail text.
  package var detail: String
  /// Maximum payload rate.
  package var maximum: Limit<BitRate>?
  /// Maximum of the picture's shorter side [px].
  package var maximumLines: Limit<Int>?
  /// Maximum frame rate [1/1000 Hz].
  package var maximumMilliFrames: Limit<Int>?
  /// Factor by which width and height are divided, at least 1: for a source, in addition to the encodings' own; for an
  /// encoding, relative to the capture.
  package var scale: Limit<Double>?
  /// Encodings that are on.
  package var encodings: EncodingSet?
  package var capture: Capture?
  package var degradation: DegradationPreference?
  package var priority: SenderPriority?

  package init(isScreen: Bool, detail: String = "") {
    self.isScreen = isScreen
    self.detail = detail
  }
}
