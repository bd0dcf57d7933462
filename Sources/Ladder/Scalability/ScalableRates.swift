package import Quantity

/// Bit rates of the layers of one stream.
package struct ScalableRates: BitwiseCopyable, Sendable {
  /// Number of spatial layers that are on, from the lowest, at least 1.
  package let enabled: Int
  private let temporalLayers: Int
  private var spatial: InlineArray<3, BitRate>

  init(enabled: Int, temporalLayers: Int, _ spatial: InlineArray<3, BitRate>) {
    self.enabled = enabled
    self.temporalLayers = temporalLayers
    self.spatial = spatial
  }

  /// Bit rate of a spatial layer with all its temporal layers, without the spatial layers below.
  package subscript(spatial: Int) -> BitRate { self.spatial[spatial] }

  /// Bit rate of one temporal layer of a spatial layer, without the ones below.
  package subscript(spatial: Int, temporal: Int) -> BitRate {
    ScalableRateSplit.temporalRates(of: self.spatial[spatial], layers: temporalLayers)[temporal]
  }

  /// Bit rate of all layers.
  package var total: BitRate { spatial[0] + spatial[1] + spatial[2] }
}
