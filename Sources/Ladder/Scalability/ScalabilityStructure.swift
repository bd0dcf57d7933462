/// Sequence of an encoder's pictures in a scalability mode: which layers have a frame, and what it refers to (libwebrtc
/// `modules/video_coding/svc/scalability_structure_*.cc`).
///
/// For each picture the encoder asks for the next one, takes ``frame(_:)`` of each of its ``layers`` and reports those
/// that it did not drop with ``noteEncoded(_:)``. All temporal layers of a spatial layer are on or off together, since
/// its bit rate is shared among all of them.
package struct ScalabilityStructure: BitwiseCopyable, Sendable {
  package let mode: ScalabilityMode
  /// `true` if a spatial layer that is switched on makes a key picture of all layers.
  private let restartsForNewLayers: Bool
  /// Number of the picture.
  package private(set) var picture = UInt32.max
  /// Set if decoding can begin with the picture.
  package private(set) var isKeyPicture = false
  /// Spatial layers that have a frame in the picture, as bits.
  package private(set) var layers: UInt8 = 0
  /// Number of spatial layers that are on, from the lowest.
  package private(set) var activeLayers: UInt8 = 1
  /// Place of the picture in the temporal pattern.
  private var position: UInt8 = 0
  /// Set once a layer of the picture has been encoded, and before the first picture.
  private var hasEncoded = true
  /// Spatial layers with a base frame to refer to, as bits.
  private var begun: UInt8 = 0
  /// Spatial layers with a middle frame in their group, as bits.
  private var hasMiddle: UInt8 = 0
  /// Pictures of the last base and middle frames, by spatial layer.
  private var base = InlineArray<3, UInt32>(repeating: 0)
  private var middle = InlineArray<3, UInt32>(repeating: 0)

  /// Creates the sequence of a codec. VP9's encoder makes a key picture for a new layer unless spatial layers predict
  /// from each other in every picture (`libvpx_vp9_encoder.cc`), AV1's where they do so in key pictures.
  package init(_ mode: ScalabilityMode, codec: VideoCodec) {
    self.mode = mode
    restartsForNewLayers =
      mode.prediction == .keyPictures || mode.prediction == .none && codec != .av1
  }

  /// Goes on to the next picture. One of which nothing was encoded is made again with the same place in the pattern.
  ///
  /// - Parameters:
  ///   - active: number of spatial layers that are on, from the lowest, at least 1.
  ///   - isRequested: `true` if a key picture was asked for.
  package mutating func advance(active: Int, keyPicture isRequested: Bool) {
    activeLayers = UInt8(max(1, min(active, mode.spatialLayers)))
    let on = UInt8(1) << activeLayers &- 1
    let wasLost = !hasEncoded
    isKeyPicture =
      isRequested || begun == 0 || wasLost && isKeyPicture || restartsForNewLayers && on & ~begun != 0
    if !wasLost {
      picture &+= 1
      position = (position &+ 1) & (mode.groupLength &- 1)
    }
    if isKeyPicture {
      position = 0
      begun = 0
    }
    begun &= on
    // A layer that was switched on within a group waits for the next base frame.
    layers = position == 0 ? on : on & begun
    for spatial in 0..<mode.spatialLayers where place(spatial) == 0 { hasMiddle &= ~(1 << UInt8(spatial)) }
    hasEncoded = false
  }

  /// Returns a spatial layer's frame of the picture; `nil` if it has none.
  package func frame(_ spatial: Int) -> LayerFrame? {
    let bit = UInt8(1) << UInt8(spatial)
    guard layers & bit != 0 else { return nil }
    var frame = LayerFrame(
      picture: picture, back: 0, spatial: UInt8(spatial), temporal: 0, position: 0,
      activeLayers: activeLayers,
      isKeyPicture: isKeyPicture)
    guard begun & bit != 0 else { return frame }
    frame.position = place(spatial)
    frame.temporal = mode.temporalLayer(at: frame.position)
    let reference = frame.position == 3 && hasMiddle & bit != 0 ? middle[spatial] : base[spatial]
    frame.back = UInt8(min(picture &- reference, 255))
    return frame
  }

  /// Notes that a spatial layer's frame was encoded: later frames may refer to it.
  package mutating func noteEncoded(_ spatial: Int) {
    let bit = UInt8(1) << UInt8(spatial)
    let place = begun & bit == 0 ? 0 : place(spatial)
    hasEncoded = true
    if place == 0 {
      base[spatial] = picture
      begun |= bit
    } else if mode.temporalLayer(at: place) == 1 {
      middle[spatial] = picture
      hasMiddle |= bit
    }
  }

  /// Returns a spatial layer's position in its pattern; in a shifted mode the lowest layer is one picture ahead.
  private func place(_ spatial: Int) -> UInt8 {
    mode.isShifted && spatial == 0 ? (position &+ 1) & (mode.groupLength &- 1) : position
  }
}

/// Temporal patterns: 0 1 and 0 2 1 2.
extension ScalabilityMode {
  /// Distance between base frames in pictures: 1, 2 or 4.
  package var groupLength: UInt8 { 1 << UInt8(temporalLayers - 1) }

  /// Returns the temporal layer at a position of the pattern.
  package func temporalLayer(at position: UInt8) -> UInt8 {
    switch (temporalLayers, position) {
    case (_, 0): 0
    case (3, 1), (3, 3): 2
    default: 1
    }
  }
}
