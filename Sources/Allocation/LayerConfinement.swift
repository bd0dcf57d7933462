package import Ladder

/// Limits by window, frame rate and device on the layers of a subscription, and their scope.
package struct LayerConfinement: Hashable, Sendable {
  /// Picture-in-picture window [px] that shows the source, set by ``Subscription/confine(to:)``; `nil` outside a window.
  package var window: Resolution?
  /// Set if the source has layers that are too large for the window.
  package var isCutByWindow = false
  /// Set by ``Subscription/keepFrameRate()`` if base layers of a higher frame rate are thinned to the requested one.
  var keepsFrameRate = false
  /// Highest layer of the source that the viewer's device decodes alongside all others, set by
  /// ``Subscription/confine(toDecoded:isCut:beyond:)``; `nil` for any.
  var decoded: Layer?
  /// Set if the device is what prevents a higher layer.
  package var isCutByDevice = false
  /// Layer that the rule would give on ample links if the device could decode anything; `nil` if that is no higher.
  package var beyondDevice: Layer?
  /// Most lines and highest frame rate of the ladder before window and device removed layers; `nil` if neither did.
  var uncutExtent: VideoFormat?

  /// Checks whether a layer is the highest that the device admits, while a device without a limit would get more.
  func isDeviceLimit(_ layer: Layer?) -> Bool {
    guard isCutByDevice, let decoded, let layer else { return false }
    return layer.id >= decoded.id
  }
}
