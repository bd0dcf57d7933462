package import Ladder
package import Systems

/// LiveKit's filter of a VP9 stream without dependency descriptors (`pkg/sfu/videolayerselector/vp9.go`).
///
/// All lower spatial layers are forwarded, with all their temporal layers. The filter switches up at a frame that is
/// not predicted from an earlier picture, and down after any frame.
package struct LiveKitVP9Filter: LayerFilter {
  package var target = DecodeTarget.none {
    didSet { if target.isNone { current = .none } }
  }
  package private(set) var current = DecodeTarget.none

  package init(mode: ScalabilityMode, codec: VideoCodec) {}

  package var needsKeyPicture: Bool { target.spatial > current.spatial }

  package mutating func admits(_ frame: LayerFrame) -> Bool {
    guard !target.isNone else { return false }
    let spatial = Int8(frame.spatial)
    let temporal = Int8(frame.temporal)
    guard !current.isNone else {
      guard frame.isKeyPicture, spatial == 0 else { return false }
      current = DecodeTarget(spatial: 0, temporal: 0)
      return true
    }
    var limit = current
    if temporal > current.temporal, temporal <= target.temporal, frame.isSwitchingPoint {
      limit.temporal = temporal
    }
    if spatial > current.spatial, spatial <= target.spatial, !frame.refersBack { limit.spatial = spatial }
    current = DecodeTarget(
      spatial: min(limit.spatial, target.spatial), temporal: min(limit.temporal, target.temporal))
    return spatial < limit.spatial || spatial == limit.spatial && temporal <= limit.temporal
  }
}
