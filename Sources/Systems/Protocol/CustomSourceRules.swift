package import Quantity

/// How a client takes frames that an app makes itself (a custom video source).
///
/// No vendor publishes these numbers: the defaults are our model.
package struct CustomSourceRules: Hashable, Sendable {
  /// A change between camera and custom frames takes this long, without frames.
  package var changeTime = SimDuration.milliseconds(500)
  /// The encoder takes in at most this many frames per second, 1 to 120; more are dropped.
  package var framesPerSecond = 30
  /// A larger frame is refused [px].
  package var framePixels = 1920 * 1080

  package init() {}
}
