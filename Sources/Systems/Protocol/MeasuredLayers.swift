package import Ladder
package import Quantity

/// Layers of a source as measured on arrival at an SFU.
package struct MeasuredLayers: Hashable, Sendable {
  /// Bit rates by encoding and temporal layer, of the layer and those below it, RTP headers included; zero where
  /// nothing has been measured.
  package var rates: [[BitRate]]
  /// Encodings that currently arrive, lowest first.
  package var available: [Int]
  /// Highest encoding that has ever arrived; `nil` before any has.
  package var highestSeen: Int?
  /// Highest temporal layer that has ever arrived; `nil` before any has.
  package var highestTemporalSeen: Int?
  /// Measured rate of a source whose sender follows its receivers, which counts at the minimum in ``rates``; `nil` for
  /// any other.
  package var followingRate: BitRate?

  package init(
    rates: [[BitRate]] = [], available: [Int] = [], highestSeen: Int? = nil, highestTemporalSeen: Int? = nil
  ) {
    self.rates = rates
    self.available = available
    self.highestSeen = highestSeen
    self.highestTemporalSeen = highestTemporalSeen
  }

  /// Rate of a layer including those below it; zero for an unknown one.
  package subscript(layer: LayerID) -> BitRate {
    guard rates.indices.contains(layer.encoding),
      rates[layer.encoding].indices.contains(layer.temporal)
    else { return .zero }
    return rates[layer.encoding][layer.temporal]
  }

  /// Adds to each spatial layer's rates those of the layers below it, which its viewers receive as well.
  package mutating func sumSpatialLayers() {
    for upper in rates.indices.dropFirst() {
      for temporal in rates[upper].indices where rates[upper][temporal] > .zero {
        rates[upper][temporal] += rates[upper - 1][temporal]
      }
    }
  }
}
