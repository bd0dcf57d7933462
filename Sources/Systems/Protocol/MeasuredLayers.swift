package import Ladder
package import Quantity

/// The layers of a source as an SFU measures them where they arrive.
package struct MeasuredLayers: Hashable, Sendable {
  /// By encoding and temporal layer: bit rate of the layer and those below it, RTP headers included; zero where nothing
  /// has been measured.
  package var rates: [[BitRate]]
  /// Encodings that arrive at present, lowest first.
  package var available: [Int]
  /// The highest encoding and temporal layer that ever arrived; `nil` before.
  package var highestSeen: Int?
  package var highestTemporalSeen: Int?

  package init(
    rates: [[BitRate]] = [], available: [Int] = [], highestSeen: Int? = nil, highestTemporalSeen: Int? = nil
  ) {
    self.rates = rates
    self.available = available
    self.highestSeen = highestSeen
    self.highestTemporalSeen = highestTemporalSeen
  }

  /// The rate of a layer with those below it; zero for an unknown one.
  package subscript(layer: LayerID) -> BitRate {
    guard rates.indices.contains(layer.encoding),
      rates[layer.encoding].indices.contains(layer.temporal)
    else { return .zero }
    return rates[layer.encoding][layer.temporal]
  }
}
