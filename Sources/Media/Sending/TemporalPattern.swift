/// Temporal layer patterns: L1T1, L1T2 (0 1) and L1T3 (0 2 1 2) of the W3C scalability modes.
package struct TemporalPattern: Equatable, BitwiseCopyable {
  /// Number of temporal layers, 1 to 3.
  package let layers: Int
  /// Set if libwebrtc's allocator of scalable streams splits its rate, not the one of simulcast.
  package let isScalable: Bool

  package init(layers: Int, isScalable: Bool = false) {
    self.layers = layers
    self.isScalable = isScalable
  }

  /// Distance between base-layer frames.
  package var groupLength: Int { 1 << (layers - 1) }

  /// Returns the temporal layer at a position in the group.
  package func layer(at position: Int) -> Int {
    switch (layers, position & (groupLength - 1)) {
    case (_, 0): 0
    case (3, 2): 1
    case (3, _): 2
    default: 1
    }
  }

  /// Returns a layer's share of the rate, 0 to 1.
  func share(of layer: Int) -> Double {
    if isScalable { return TemporalShares.scalable(layer, of: layers) }
    let below = layer == 0 ? 0 : TemporalShares.cumulativePercent(upTo: layer - 1, of: layers)
    return Double(TemporalShares.cumulativePercent(upTo: layer, of: layers) - below) / 100
  }
}
