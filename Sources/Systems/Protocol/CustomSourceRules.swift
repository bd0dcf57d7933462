package import Ladder
package import Quantity

/// Client's limits on frames that an app produces itself (a custom video source).
///
/// No vendor publishes these numbers: the defaults are our model.
package struct CustomSourceRules: Hashable, Sendable {
  /// Duration of a change between camera and custom frames, without any frames.
  package var changeTime = SimDuration.milliseconds(500)
  /// Maximum frame rate that the encoder accepts [1/s], 1 to 120; further frames are dropped.
  package var framesPerSecond = 30
  /// Maximum number of pixels in an accepted frame [px].
  package var framePixels = 1920 * 1080

  package init() {}

  /// Returns the highest frame rate that an encoder of a ladder accepts, above zero [1/1000 Hz].
  package func mostMilliFrames(into ladder: Ladder) -> Int {
    let fastest = ladder.encodings.reduce(0) { max($0, $1.format.milliFramesPerSecond) }
    return fastest > 0 ? min(framesPerSecond * 1000, fastest) : framesPerSecond * 1000
  }
}

/// Results of changes of the video source and of pushed frames.
extension CallResult {
  package static let completed = CallResult("completed", "the video source has changed")
  package static let noVideoConnection = CallResult(
    "noVideoConnection", "the participant has neither a camera nor a custom source")
  package static let success = CallResult("Success", "the frames were taken")
  package static let notUsingCustomVideoSource = CallResult(
    "NotUsingCustomVideoSource", "the camera is the source")
  package static let videoMuted = CallResult("VideoMuted", "the participant's video is muted")
  package static let maxFrameSizeExceeded = CallResult(
    "maxFrameSizeExceeded", "the frame is larger than the client takes")
  package static let unsupportedAspectRatio = CallResult(
    "unsupportedAspectRatio", "the frame is neither 16:9 nor 4:3")
  package static let notPushing = CallResult("notPushing", "the app pushes no frames")
}
