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
}
