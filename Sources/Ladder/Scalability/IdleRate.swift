package import Quantity

/// Target of a scalable source's encoder between what the layers that are on can use, and the rate at which the next
/// one begins.
package struct IdleRate: Equatable, Sendable {
  /// Number of spatial layers that are on.
  package let layers: Int
  /// Rate that these use.
  package let used: BitRate
  /// Rate that the encoder may use.
  package let target: BitRate
  /// Rate at which the next layer begins.
  package let start: BitRate

  package init(layers: Int, used: BitRate, target: BitRate, start: BitRate) {
    self.layers = layers
    self.used = used
    self.target = target
    self.start = start
  }
}
