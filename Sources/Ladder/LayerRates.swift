package import Quantity

/// libwebrtc's bit rates of a simulcast encoding or of a spatial layer.
package struct LayerRates: Hashable, Sendable, BitwiseCopyable {
  /// Rate below which the encoding or layer is disabled.
  package var minimum: BitRate
  /// Rate allocated while a larger encoding or layer is active.
  package var target: BitRate
  /// Maximum rate of the largest active encoding or layer.
  package var maximum: BitRate

  package init(minimum: BitRate, target: BitRate, maximum: BitRate) {
    self.minimum = minimum
    self.target = target
    self.maximum = maximum
  }

  /// Creates the rates of an encoding; `nil` if its limits are unknown.
  package init?(_ encoding: Encoding) {
    guard let minimum = encoding.minimum, let maximum = encoding.maximum else { return nil }
    self.init(minimum: minimum, target: encoding.bitrate, maximum: maximum)
  }

  /// Returns the rates under an app's limit.
  package func limited(to most: BitRate) -> LayerRates {
    LayerRates(minimum: min(minimum, most), target: min(target, most), maximum: min(maximum, most))
  }
}
