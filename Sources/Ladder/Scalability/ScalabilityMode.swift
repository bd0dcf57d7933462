/// Scalability mode of a stream: its spatial and temporal layers, and how the spatial layers are predicted from each
/// other.
///
/// The names are those of W3C's "Scalable Video Coding (SVC) Extension for WebRTC" that libwebrtc knows
/// (`modules/video_coding/svc/scalability_mode_util.cc`).
package struct ScalabilityMode: Hashable, Sendable, BitwiseCopyable {
  /// Prediction of a spatial layer from the one below it.
  package enum Prediction: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// In every picture: `L` modes.
    case full
    /// In key pictures: `_KEY` modes.
    case keyPictures
    /// Never: `S` modes, simulcast within one stream.
    case none
  }

  /// Ratio of the sides of a spatial layer to those of the layer below it.
  package enum Ratio: UInt8, Hashable, Sendable, BitwiseCopyable {
    case twoToOne
    /// `h` modes.
    case threeToTwo
  }

  private let spatial: UInt8
  private let temporal: UInt8
  package let prediction: Prediction
  package let ratio: Ratio
  /// Set if the base frames of one spatial layer coincide with the upper frames of the other (`L2T2_KEY_SHIFT`).
  package let isShifted: Bool

  package init(
    spatial: Int, temporal: Int, prediction: Prediction = .full, ratio: Ratio = .twoToOne,
    isShifted: Bool = false
  ) {
    self.spatial = UInt8(spatial)
    self.temporal = UInt8(temporal)
    self.prediction = spatial == 1 ? .full : prediction
    self.ratio = ratio
    self.isShifted = isShifted
  }

  /// Number of spatial layers, 1 to 3.
  package var spatialLayers: Int { Int(spatial) }
  /// Number of temporal layers, 1 to 3.
  package var temporalLayers: Int { Int(temporal) }

  /// Creates the mode of a name such as `L3T3_KEY`; `nil` for a name that is not in ``all``.
  package init?(name: String) {
    guard let mode = Self.all.first(where: { $0.name == name }) else { return nil }
    self = mode
  }

  /// W3C's name.
  package var name: String {
    let kind = spatialLayers > 1 && prediction == .none ? "S" : "L"
    let suffix = spatialLayers > 1 && prediction == .keyPictures ? "_KEY" : ""
    return "\(kind)\(spatialLayers)T\(temporalLayers)" + (ratio == .threeToTwo ? "h" : "") + suffix
      + (isShifted ? "_SHIFT" : "")
  }

  /// All modes, in libwebrtc's order.
  package static let all: [ScalabilityMode] = {
    var modes = (1...3).map { ScalabilityMode(spatial: 1, temporal: $0) }
    for spatial in 2...3 {
      for temporal in 1...3 {
        modes.append(ScalabilityMode(spatial: spatial, temporal: temporal))
        modes.append(ScalabilityMode(spatial: spatial, temporal: temporal, ratio: .threeToTwo))
        modes.append(ScalabilityMode(spatial: spatial, temporal: temporal, prediction: .keyPictures))
        if spatial == 2, temporal == 2 {
          modes.append(ScalabilityMode(spatial: 2, temporal: 2, prediction: .keyPictures, isShifted: true))
        }
      }
    }
    for spatial in 2...3 {
      for temporal in 1...3 {
        modes.append(ScalabilityMode(spatial: spatial, temporal: temporal, prediction: .none))
        modes.append(
          ScalabilityMode(spatial: spatial, temporal: temporal, prediction: .none, ratio: .threeToTwo))
      }
    }
    return modes
  }()

  /// Returns the mode limited to a number of spatial layers, at least 1.
  package func limited(toSpatial count: Int) -> ScalabilityMode {
    guard count < spatialLayers else { return self }
    guard count > 1 else { return ScalabilityMode(spatial: 1, temporal: temporalLayers) }
    return ScalabilityMode(spatial: count, temporal: temporalLayers, prediction: prediction, ratio: ratio)
  }
}
