package import Ladder
package import Systems

/// Jitsi Videobridge's filter of a stream with several spatial layers: by its frames in VP9, and by their dependency
/// descriptors in AV1 (`cc/av1/Av1DDQualityFilter.kt`), where a key picture leads to the target at once.
package struct JitsiLayerFilter: LayerFilter {
  private let isVP9: Bool
  private var byFrames: JitsiVP9Filter
  private var byTargets: DecodeTargetFilter

  package init(mode: ScalabilityMode, codec: VideoCodec) {
    isVP9 = codec == .vp9
    byFrames = JitsiVP9Filter(mode: mode)
    byTargets = DecodeTargetFilter(mode: mode, codec: codec)
  }

  package var target: DecodeTarget {
    get { isVP9 ? byFrames.target : byTargets.target }
    set { if isVP9 { byFrames.target = newValue } else { byTargets.target = newValue } }
  }

  package var current: DecodeTarget { isVP9 ? byFrames.current : byTargets.current }
  package var needsKeyPicture: Bool { isVP9 ? byFrames.needsKeyPicture : byTargets.needsKeyPicture }

  package mutating func admits(_ frame: LayerFrame) -> Bool {
    isVP9 ? byFrames.admits(frame) : byTargets.admits(frame)
  }
}

/// Jitsi Videobridge's filter of VP9 (`cc/vp9/Vp9QualityFilter.kt`).
///
/// A frame can be forwarded if the layers it is predicted from are. The filter moves toward the target at such a frame
/// of any layer between the current one and the target; if a frame of such a layer cannot be forwarded, the filter
/// requests a key picture. Lower layers are forwarded where upper ones are predicted from them. While the filter waits
/// to switch down, only the base temporal layer continues; while it waits to switch up, all temporal layers do.
struct JitsiVP9Filter: BitwiseCopyable {
  private let mode: ScalabilityMode
  var target = DecodeTarget.none {
    didSet {
      if target.isNone { current = .none }
      if current.isNone { needsKeyPicture = !target.isNone }
    }
  }
  private(set) var current = DecodeTarget.none
  private(set) var needsKeyPicture = false
  /// Spatial layers whose last base frame was forwarded, as bits.
  private var flowing: UInt8 = 0

  init(mode: ScalabilityMode) { self.mode = mode }

  mutating func admits(_ frame: LayerFrame) -> Bool {
    guard !target.isNone else { return false }
    if frame.isKeyPicture, frame.spatial == 0 {
      needsKeyPicture = false
      flowing = 1
      if current.isNone { current = DecodeTarget(spatial: 0, temporal: 0) }
      return true
    }
    guard !current.isNone else { return false }
    let spatial = Int8(frame.spatial)
    let temporal = Int8(frame.temporal)
    let wanted = min(target.spatial, Int8(frame.activeLayers) - 1)
    let canGoOut =
      (!frame.refersBack || isFlowing(spatial)) && (!mode.refersDown(frame) || isFlowing(spatial - 1))
    if spatial > current.spatial && spatial <= wanted || spatial < current.spatial && spatial >= wanted
      || current.spatial >= Int8(frame.activeLayers)
    {
      if canGoOut {
        current = DecodeTarget(spatial: spatial, temporal: temporal)
      } else {
        needsKeyPicture = true
      }
    }
    let isWanted = spatial == current.spatial || spatial < current.spatial && mode.supportsUpperLayer(frame)
    let isAdmitted = isWanted && canGoOut
    if temporal == 0 {
      let bit = UInt8(1) << frame.spatial
      if isAdmitted { flowing |= bit } else { flowing &= ~bit }
    }
    guard isAdmitted else { return false }
    if current.spatial > wanted { return temporal == 0 }
    if current.spatial < wanted { return true }
    guard temporal <= target.temporal else { return false }
    current.temporal = max(current.temporal, temporal)
    return true
  }

  private func isFlowing(_ spatial: Int8) -> Bool { flowing >> UInt8(spatial) & 1 != 0 }
}
