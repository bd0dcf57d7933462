/// One spatial layer's frame in a picture, as its packets describe it.
///
/// Its reference within the picture, the frame one spatial layer below, follows from the mode
/// (``ScalabilityMode/refersDown(_:)``), if that frame was encoded.
package struct LayerFrame: Hashable, Sendable, BitwiseCopyable {
  /// Number of the picture in its stream.
  package var picture: UInt32
  /// Distance in pictures to the earlier frame of the same spatial layer that it is predicted from, at most 127; 0 for
  /// none, in a key picture or where the encoder starts a layer.
  package var back: UInt8
  package var spatial: UInt8
  package var temporal: UInt8
  /// Position in the temporal pattern of its spatial layer, 0 for a base frame, at most 3.
  package var position: UInt8
  /// Number of active spatial layers, counted from the lowest.
  package var activeLayers: UInt8
  /// Set in every frame of a picture from which decoding can begin.
  package var isKeyPicture: Bool
  /// Set unless the encoder has dropped the frame of the spatial layer below.
  package var hasLowerFrame: Bool

  package init(
    picture: UInt32, back: UInt8, spatial: UInt8, temporal: UInt8, position: UInt8, activeLayers: UInt8,
    isKeyPicture: Bool, hasLowerFrame: Bool = true
  ) {
    self.picture = picture
    self.back = back
    self.spatial = spatial
    self.temporal = temporal
    self.position = position
    self.activeLayers = activeLayers
    self.isKeyPicture = isKeyPicture
    self.hasLowerFrame = hasLowerFrame
  }

  /// `true` if the frame is predicted from an earlier picture (VP9's P bit).
  package var refersBack: Bool { back > 0 }

  /// `true` if a viewer that has only received lower temporal layers can switch up at the frame: all but the last frame
  /// of the three-layer pattern, which is predicted from the middle layer.
  package var isSwitchingPoint: Bool { position < 3 }
}

/// References and decode target indications of frames, and the chains that protect a layer (the AV1 RTP specification's
/// dependency descriptor; libwebrtc `modules/video_coding/svc/scalability_structure_*.cc`).
extension ScalabilityMode {
  /// Role of a frame in a decode target.
  package enum Indication: Character, Sendable {
    /// Not part of the target.
    case notPresent = "-"
    /// No later frame of the target refers to it.
    case discardable = "D"
    /// If it is decodable, so is the target from here on.
    case `switch` = "S"
    case required = "R"
  }

  /// Checks whether a frame is predicted from the spatial layer below in the same picture (VP9's D bit).
  package func refersDown(_ frame: LayerFrame) -> Bool {
    frame.spatial > 0 && frame.hasLowerFrame && predictsAcross(frame)
  }

  /// Checks whether the spatial layer above is predicted from a frame (VP9's Z bit, inverted).
  package func supportsUpperLayer(_ frame: LayerFrame) -> Bool {
    Int(frame.spatial) + 1 < spatialLayers && predictsAcross(frame)
  }

  /// Checks whether the spatial layers of a frame's picture are predicted from each other.
  private func predictsAcross(_ frame: LayerFrame) -> Bool {
    switch prediction {
    case .full: true
    case .keyPictures: frame.isKeyPicture
    case .none: false
    }
  }

  /// Returns the role of a frame in the decode target of all layers up to a spatial and a temporal one.
  package func indication(of frame: LayerFrame, spatial: Int, temporal: Int) -> Indication {
    let own = Int(frame.spatial)
    guard spatial >= own, temporal >= Int(frame.temporal) else { return .notPresent }
    if spatial == own { return temporal == Int(frame.temporal) && temporal > 0 ? .discardable : .switch }
    guard predictsAcross(frame) else { return .notPresent }
    return frame.isKeyPicture ? .switch : .required
  }

  /// Checks whether a frame is part of the chain that protects a spatial layer: the base frames without which the layer
  /// cannot be decoded.
  package func isInChain(of spatial: Int, _ frame: LayerFrame) -> Bool {
    frame.temporal == 0 && indication(of: frame, spatial: spatial, temporal: 0) != .notPresent
  }

  /// Checks whether a frame starts a chain, because it references no other frame.
  package func beginsChain(_ frame: LayerFrame) -> Bool { !frame.refersBack && !refersDown(frame) }
}
