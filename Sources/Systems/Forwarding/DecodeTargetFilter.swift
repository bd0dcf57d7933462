package import Ladder

/// Filter by the dependency descriptor's decode targets: it forwards the frames of the current target, and switches to
/// another one at a frame that is a switching point for it and whose references were all forwarded.
package struct DecodeTargetFilter: LayerFilter {
  private let mode: ScalabilityMode
  package var target = DecodeTarget.none {
    didSet {
      if target.isNone { current = .none }
      if current.isNone { needsKeyPicture = !target.isNone }
    }
  }
  package private(set) var current = DecodeTarget.none
  package private(set) var needsKeyPicture = false
  private var decisions = FrameDecisions()

  package init(mode: ScalabilityMode, codec: VideoCodec) { self.mode = mode }

  package mutating func admits(_ frame: LayerFrame) -> Bool {
    guard !target.isNone else { return false }
    let isAdmitted = decide(frame)
    decisions.record(frame, isAdmitted: isAdmitted)
    return isAdmitted
  }

  private mutating func decide(_ frame: LayerFrame) -> Bool {
    let highest = Int8(frame.activeLayers) - 1
    let wanted = DecodeTarget(spatial: min(target.spatial, highest), temporal: target.temporal)
    if frame.isKeyPicture, frame.spatial == 0 {
      needsKeyPicture = false
      current = wanted
    }
    guard !current.isNone else { return false }
    if current != wanted {
      if mode.indication(of: frame, spatial: Int(wanted.spatial), temporal: Int(wanted.temporal)) == .switch,
        decisions.hasAllReferences(frame, mode: mode)
      {
        current = wanted
      } else if !hasSwitchingPoints(from: current.spatial, to: wanted.spatial) {
        needsKeyPicture = true
      }
    }
    return isPresent(frame)
  }

  private func isPresent(_ frame: LayerFrame) -> Bool {
    mode.indication(of: frame, spatial: Int(current.spatial), temporal: Int(current.temporal)) != .notPresent
  }

  /// Checks whether frames outside key pictures allow a switch from one spatial layer to another.
  private func hasSwitchingPoints(from: Int8, to: Int8) -> Bool {
    mode.prediction == .full ? to <= from : to == from
  }
}
