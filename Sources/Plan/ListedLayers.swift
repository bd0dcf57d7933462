package import Ladder
import Quantity

/// Layers of a source listed in a scenario, as measured by an SFU, whatever encoder sent them.
package struct ListedLayers: Hashable, Sendable {
  /// Layers by encoding, then by temporal layer, with cumulative rates.
  package var layers: [Layer]

  /// Creates the list.
  ///
  /// - Parameter layers: at least one, each encoding and temporal layer once.
  package init(_ layers: [Layer]) { self.layers = layers.sorted { $0.id < $1.id } }

  /// Layers as the encodings of an encoder: the highest frame rate of each and its layers' rates.
  package var ladder: Ladder {
    var encodings: [Encoding] = []
    var own: [Layer] = []
    func close() {
      guard let top = own.last else { return }
      var encoding = Encoding(
        rid: "\(top.id.encoding)", format: top.format, cumulativeBitrates: own.map(\.bitrate))
      encoding.layerRates = own.map(\.format.milliFramesPerSecond)
      encodings.append(encoding)
    }
    for layer in layers {
      if let last = own.last, last.id.encoding != layer.id.encoding {
        close()
        own = []
      }
      own.append(layer)
    }
    close()
    return Ladder(encodings: encodings)
  }

  /// Reason why no encoder of this simulator sends these layers; `nil` if one does.
  package var obstacle: String? {
    for (place, encoding) in ladder.encodings.enumerated() {
      let name = "encoding \(encoding.rid)"
      let rates = encoding.layerRates ?? []
      guard encoding.rid == "\(place)" else { return "encodings are numbered from 0 without a gap" }
      guard rates.count <= 3 else { return "\(name) has more than three temporal layers" }
      for (temporal, rate) in rates.enumerated() {
        if rate == 0 { return "\(name) has an unknown frame rate" }
        if rate != encoding.format.milliFramesPerSecond >> (rates.count - 1 - temporal) {
          return "the frame rate of \(name) does not double from temporal layer to temporal layer"
        }
      }
      let bits = encoding.cumulativeBitrates
      if bits.contains(.zero) || zip(bits, bits.dropFirst()).contains(where: { $0 >= $1 }) {
        return "the bit rates of \(name) do not rise"
      }
    }
    let pixels = ladder.encodings.map(\.format.resolution.pixels)
    return zip(pixels, pixels.dropFirst()).contains { $0 >= $1 }
      ? "sizes do not rise with the encodings" : nil
  }
}
