package import Quantity

/// Bit rates of the spatial layers of one stream.
package struct ScalableRates: BitwiseCopyable, Sendable {
  /// Number of active spatial layers, counted from the lowest, at least 1.
  package let enabled: Int
  private var spatial: InlineArray<3, BitRate>

  init(enabled: Int, _ spatial: InlineArray<3, BitRate>) {
    self.enabled = enabled
    self.spatial = spatial
  }

  /// Bit rate of a spatial layer with all its temporal layers, excluding the spatial layers below.
  package subscript(spatial: Int) -> BitRate { self.spatial[spatial] }

  /// Bit rate of all layers.
  package var total: BitRate { spatial[0] + spatial[1] + spatial[2] }
}
