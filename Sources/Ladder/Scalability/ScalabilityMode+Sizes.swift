/// Sizes of spatial layers.
extension ScalabilityMode {
  /// Shorter and longer side of the smallest spatial layer (libwebrtc `vp9_globals.h`, `av1_svc_config.cc`) [px].
  package static let smallestSides = (short: 135, long: 240)

  /// Returns the number of spatial layers for which a capture is large enough, 1 to 3, if each has half the width and
  /// height of the next, whatever the mode's ratio.
  package static func spatialLayerLimit(of capture: Resolution) -> Int {
    let short = capture.lines
    let long = max(capture.width, capture.height)
    var count = 1
    while count < 3, short >= smallestSides.short << count, long >= smallestSides.long << count { count += 1 }
    return count
  }

  /// Returns the mode that libwebrtc's encoders use for a capture: a small capture gets fewer spatial layers.
  package func fitted(to capture: Resolution) -> ScalabilityMode {
    limited(toSpatial: Self.spatialLayerLimit(of: capture))
  }

  /// Returns the scale of a spatial layer's sides relative to the highest layer's, as a fraction.
  private func scale(of spatial: Int) -> (numerator: Int, denominator: Int) {
    var scale = (numerator: 1, denominator: 1)
    for _ in spatial..<spatialLayers - 1 {
      scale = ratio == .twoToOne ? (1, scale.denominator * 2) : (scale.numerator * 2, scale.denominator * 3)
    }
    return scale
  }

  /// Returns the size of a spatial layer of a capture. VP9's encoder first rounds the capture's sides down to multiples
  /// of the lowest layer's denominator (`vp9/svc_config.cc`); AV1's rounds down each layer's sides
  /// (`av1_svc_config.cc`).
  ///
  /// - Parameter spatial: layer, 0 for the lowest.
  package func size(of spatial: Int, capture: Resolution, codec: VideoCodec) -> Resolution {
    let lowest = scale(of: 0).denominator
    let (numerator, denominator) = scale(of: spatial)
    func side(_ length: Int) -> Int {
      let whole = codec == .av1 ? length : length - length % lowest
      return max(1, whole * numerator / denominator)
    }
    return Resolution(width: side(capture.width), height: side(capture.height))
  }
}
