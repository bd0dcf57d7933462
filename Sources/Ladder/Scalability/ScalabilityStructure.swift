/// Sequence of an encoder's pictures in a scalability mode: the layers that have a frame, and the frames' references
/// (libwebrtc `modules/video_coding/svc/scalability_structure_*.cc`).
///
/// For each picture, the encoder calls ``advance(active:keyPicture:)``, takes ``frame(_:)`` for each of the ``layers``
/// and reports the frames that it did not drop with ``noteEncoded(_:)``. All temporal layers of a spatial layer are on
/// or off together, since they share its bit rate.
package struct ScalabilityStructure: BitwiseCopyable, Sendable {
  package let mode: ScalabilityMode
  /// `true` if switching on a spatial layer forces a key picture of all layers.
  private let restartsForNewLayers: Bool
  /// Number of the current picture.
  package private(set) var picture = UInt32.max
  /// Set if decoding can start at the picture.
  package private(set) var isKeyPicture = false
  /// Spatial layers that have a frame in the picture, as bits.
  package private(set) var layers: UInt8 = 0
  /// Number of active spatial layers, counted from the lowest.
  package private(set) var activeLayers: UInt8 = 1
  /// Position of the picture in the temporal pattern.
  private var position: UInt8 = 0
  /// Set once a layer of the picture has been encoded, and before the first picture.
  private var hasEncoded = true
  /// Spatial layers with a base frame to refer to, as bits.
  private var begun: UInt8 = 0
  /// Spatial layers with a middle frame in their group, as bits.
  private var hasMiddle: UInt8 = 0
  /// Picture numbers of the last base and middle frames, by spatial layer.
  private var base = InlineArray<3, UInt32>(repeating: 0)
  private var middle = InlineArray<3, UInt32>(repeating: 0)

  /// Creates the sequence of a codec. VP9's encoder makes a key picture for a new layer unless spatial layers are
  /// predicted from each other in every picture (`libvpx_vp9_encoder.cc`); AV1's does so only if they are in key
  /// pictures alone.
  package init(_ mode: ScalabilityMode, codec: VideoCodec) {
    self.mode = mode
    restartsForNewLayers =
      mode.prediction == .keyPictures || mode.prediction == .none && codec != .av1
  }

  /// Advances to the next picture. A picture of which no frame was encoded is repeated at the same position in the
  /// pattern.
  ///
  /// - Parameters:
  ///   - active: number of active spatial layers, counted from the lowest, at least 1.
  ///   - isRequested: `true` if a key picture was requested.
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

  /// `true` if a spatial layer starts in the picture.
  package var startsLayer: Bool { layers & ~begun != 0 }

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
    frame.back = UInt8(min(picture &- reference, 127))
    return frame
  }

  /// Records that a spatial layer's frame was encoded, so later frames may reference it.
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
