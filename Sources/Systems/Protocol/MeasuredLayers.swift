package import Ladder
package import Quantity

/// Layers of a source as measured on arrival at an SFU.
package struct MeasuredLayers: Hashable, Sendable {
  /// Bit rates by encoding and temporal layer, of the layer and those below it, RTP headers included; zero where
  /// nothing has been measured.
  package var rates: [[BitRate]]
  /// Encodings that arrive at present, lowest first.
  package var available: [Int]
  /// Highest encoding that ever arrived; `nil` before.
  package var highestSeen: Int?
  /// Highest temporal layer that ever arrived; `nil` before.
  package var highestTemporalSeen: Int?

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

  /// Adds to the rates of each spatial layer those of the ones below it, which its viewers get as well.
  package mutating func sumSpatialLayers() {
    for upper in rates.indices.dropFirst() {
      for temporal in rates[upper].indices where rates[upper][temporal] > .zero {
        rates[upper][temporal] += rates[upper - 1][temporal]
      }
    }
  }
}
