package import Ladder
package import Systems

/// Selection of the highest layer that a viewer's track settings allow, by the server's rule (`mediatrackreceiver.go`,
/// `subscribedtrack.go`).
package enum LiveKitSelection {
  /// Returns the index of the lowest encoding with at least a share of the tile's height, truncated; of equal
  /// neighbours the upper one, or the highest of all if none suffices.
  ///
  /// Heights are compared even for portrait pictures. Without known sizes, the server assumes 180 and 360 lines and the
  /// capture's, and then compares widths for portrait captures.
  ///
  /// - Parameters:
  ///   - tile: size that the client reports [px].
  ///   - encodings: sizes from the lowest up; empty if they are not known.
  ///   - capture: size of the capture, used if the encodings' sizes are not known.
  ///   - factor: the share, 0 to 1.
  package static func encoding(
    for tile: Resolution, among encodings: [Resolution], capture: Resolution, factor: Double
  ) -> Int {
    let heights = encodings.isEmpty ? [180, 360, capture.lines] : encodings.map(\.height).sorted()
    let asked = encodings.isEmpty && capture.isPortrait ? tile.width : tile.height
    let enough = Int(Double(asked) * factor)
    let place = heights.indices.dropLast().first { heights[$0] >= enough && heights[$0] != heights[$0 + 1] }
    return place ?? heights.count - 1
  }

  /// Returns the highest layer that settings allow; `nil` for a source without layers.
  ///
  /// - Parameters:
  ///   - layers: layers of the source's ladder, by encoding and temporal layer.
  ///   - isAdaptive: `true` if the lowest encoding is the default while neither size nor quality is set, instead of the
  ///     highest.
  package static func layer(
    _ settings: TrackSettings, of layers: [Layer], capture: Resolution, isAdaptive: Bool, factor: Double
  ) -> Layer? {
    guard let highest = layers.last?.id.encoding else { return nil }
    let encoding: Int
    if let size = settings.size {
      let sizes = layers.filter { $0.id.temporal == 0 }.map(\.format.resolution)
      encoding = self.encoding(for: size, among: sizes, capture: capture, factor: factor)
    } else {
      switch settings.quality ?? (isAdaptive ? .low : .high) {
      case .low: encoding = 0
      case .medium: encoding = 1
      case .high: encoding = 2
      }
    }
    let own = layers.filter { $0.id.encoding == min(encoding, highest) }
    guard let rate = settings.milliFramesPerSecond else { return own.last }
    let enough = Double(rate) * factor
    return own.first { Double($0.format.milliFramesPerSecond) >= enough } ?? own.last
  }
}
