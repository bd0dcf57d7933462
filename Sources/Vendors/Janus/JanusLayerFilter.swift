package import Ladder
package import Systems

/// Janus's filter of a stream with several spatial layers (`src/rtp.c`, `janus_rtp_svc_context_process_rtp`; VP9 in
/// flexible mode, as libwebrtc sends it).
///
/// All lower spatial layers are forwarded, whatever the mode. The filter switches up at a key picture, stopping at a
/// lower layer if the wanted one is off (Janus checks whether it was silent for 250 ms), and down after any frame.
package struct JanusLayerFilter: LayerFilter {
  private let codec: VideoCodec
  package var target = DecodeTarget.none {
    didSet { if target.isNone { current = .none } }
  }
  package private(set) var current = DecodeTarget.none

  package init(mode: ScalabilityMode, codec: VideoCodec) { self.codec = codec }

  package var needsKeyPicture: Bool { target.spatial > current.spatial }

  package mutating func admits(_ frame: LayerFrame) -> Bool {
    guard !target.isNone else { return false }
    if target.spatial > current.spatial, frame.isKeyPicture, frame.spatial == 0 {
      current.spatial = max(current.spatial, min(target.spatial, Int8(frame.activeLayers) - 1))
    }
    let spatial = current.spatial
    if target.spatial < current.spatial { current.spatial = target.spatial }
    guard Int8(frame.spatial) <= spatial else { return false }
    let temporal = Int8(frame.temporal)
    if target.temporal > current.temporal {
      if temporal > current.temporal, temporal <= target.temporal, codec == .av1 || frame.isSwitchingPoint {
        current.temporal = temporal
      }
    } else if target.temporal < current.temporal, temporal == target.temporal {
      current.temporal = temporal
    }
    return temporal <= current.temporal
  }
}
