package import Ladder
import Quantity

/// Layers of a source listed in a scenario, as measured by an SFU, regardless of the encoder that sent them.
package struct ListedLayers: Hashable, Sendable {
  /// Layers by encoding, or spatial layer, then by temporal layer, with cumulative rates.
  package let layers: [Layer]
  /// Layers without the rates of lower spatial layers.
  private let own: [Layer]
  /// Mode of the stream to which they belong as spatial layers; `nil` for simulcast.
  package let scalability: ScalabilityMode?

  /// Creates the list.
  ///
  /// - Parameter layers: at least one; each encoding and temporal layer occurs once, with the rates of its encoding
  ///   alone.
  package init(_ layers: [Layer], scalability: ScalabilityMode? = nil) {
    let own = layers.sorted { $0.id < $1.id }
    self.own = own
    self.scalability = scalability
    guard scalability?.prediction == .full else {
      self.layers = own
      return
    }
    self.layers = own.map { layer in
      guard layer.bitrate > .zero else { return layer }
      var whole = layer
      for lower in 0..<layer.id.encoding {
        let below = own.last { $0.id.encoding == lower && $0.id.temporal <= layer.id.temporal }
        whole.bitrate += below?.bitrate ?? .zero
      }
      return whole
    }
  }

  /// Layers as an encoder's encodings: the highest frame rate of each, and the rates of its layers.
  package var ladder: Ladder {
    var encodings: [Encoding] = []
    var group: [Layer] = []
    func close() {
      guard let top = group.last else { return }
      let name = scalability == nil ? "" : "s"
      var encoding = Encoding(
        rid: "\(name)\(top.id.encoding)", format: top.format, cumulativeBitrates: group.map(\.bitrate))
      encoding.layerRates = group.map(\.format.milliFramesPerSecond)
      encodings.append(encoding)
    }
    for layer in own {
      if let last = group.last, last.id.encoding != layer.id.encoding {
        close()
        group = []
      }
      group.append(layer)
    }
    close()
    var ladder = Ladder(encodings: encodings)
    ladder.scalability = scalability
    return ladder
  }

  /// Reason why no encoder of this simulator sends these layers; `nil` if one can.
  package var obstacle: String? {
    for (place, encoding) in ladder.encodings.enumerated() {
      let isLayer = scalability != nil
      let name = isLayer ? "spatial layer \(encoding.rid.dropFirst())" : "encoding \(encoding.rid)"
      let rates = encoding.layerRates ?? []
      guard encoding.rid == (isLayer ? "s\(place)" : "\(place)") else {
        return "\(isLayer ? "spatial layers" : "encodings") are numbered from 0 without a gap"
      }
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
