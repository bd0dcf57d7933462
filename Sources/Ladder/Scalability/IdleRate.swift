package import Quantity

/// Encoder target of a scalable source that lies between the rate that the active layers can use and the rate at which
/// the next layer starts.
package struct IdleRate: Equatable, Sendable {
  /// Number of active spatial layers.
  package let layers: Int
  /// Rate that the active layers use.
  package let used: BitRate
  /// Rate that the encoder may use.
  package let target: BitRate
  /// Rate at which the next layer starts.
  package let start: BitRate

  package init(layers: Int, used: BitRate, target: BitRate, start: BitRate) {
    self.layers = layers
    self.used = used
    self.target = target
    self.start = start
  }
}
