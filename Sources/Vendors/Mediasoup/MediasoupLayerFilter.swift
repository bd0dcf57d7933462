package import Ladder
package import Systems

/// mediasoup's filter of a stream with several spatial layers (`worker/src/RTC/Codecs/VP9.cpp`, `AV1.cpp`,
/// `SvcConsumer.cpp`).
///
/// For VP9 in a `_KEY` mode, it forwards a single spatial layer and switches at key pictures. For everything else,
/// including `S` modes and all of AV1, it also forwards the lower spatial layers, and switches up at a key picture and
/// down after a frame of the target's layer. After a change of spatial layer, it starts at the base temporal layer and
/// climbs from there.
package struct MediasoupLayerFilter: LayerFilter {
  private let codec: VideoCodec
  /// `true` for what mediasoup takes to be K-SVC, by the mode's name.
  private let isKeySVC: Bool
  package var target = DecodeTarget.none {
    didSet { if target.isNone { current = .none } }
  }
  package private(set) var current = DecodeTarget.none

  package init(mode: ScalabilityMode, codec: VideoCodec) {
    self.codec = codec
    isKeySVC = mode.prediction == .keyPictures
  }

  /// In K-SVC, any change of spatial layer requests a key picture, even in AV1, which does not wait for it to switch
  /// down; otherwise only a change upwards does.
  package var needsKeyPicture: Bool {
    target.spatial > current.spatial || isKeySVC && target.spatial < current.spatial && !target.isNone
  }

  private var filtersLowerLayers: Bool { isKeySVC && codec == .vp9 }

  package mutating func admits(_ frame: LayerFrame) -> Bool {
    guard !target.isNone else { return false }
    let isKeyFrame = !frame.refersBack && frame.spatial == 0
    let layer = Int8(frame.spatial)
    var next = current
    if target.spatial > current.spatial || target.spatial < current.spatial && filtersLowerLayers {
      if isKeyFrame { next = DecodeTarget(spatial: target.spatial, temporal: 0) }
    } else if target.spatial < current.spatial, layer == target.spatial {
      // The switch comes with the frame's last packet, which is dropped if it is above the base temporal layer, so the
      // frame is lost.
      next = DecodeTarget(spatial: target.spatial, temporal: 0)
    }
    guard layer <= next.spatial, !(filtersLowerLayers && frame.refersBack && layer != next.spatial) else {
      return false
    }
    let temporal = Int8(frame.temporal)
    if target.temporal > current.temporal {
      let isSwitchingPoint = codec == .av1 || frame.isSwitchingPoint
      if temporal > current.temporal, current.temporal < 0 || isSwitchingPoint { next.temporal = temporal }
    } else if target.temporal < current.temporal, temporal == target.temporal {
      next.temporal = temporal
    }
    guard temporal <= next.temporal else { return false }
    current = next
    return true
  }
}
