package import Ladder
package import Systems

/// LiveKit's filter of a stream with dependency descriptors (`pkg/sfu/videolayerselector/dependencydescriptor.go`,
/// `framechain.go`): it forwards the highest target within bounds whose chain is intact.
///
/// If spatial layers are not predicted from each other in every picture, a switch down finds the lower layers' chains
/// broken and the upper layer out of bounds, so nothing is forwarded until a key picture.
package struct LiveKitChainFilter: LayerFilter {
  private let mode: ScalabilityMode
  package var target = DecodeTarget.none {
    didSet {
      guard target.isNone else { return }
      current = .none
      whole = 0
    }
  }
  package private(set) var current = DecodeTarget.none
  /// Spatial layers whose chain is intact, as bits.
  private var whole: UInt8 = 0
  /// Spatial layers whose chain's last frame was dropped, as bits.
  private var dropped: UInt8 = 0
  private var activeLayers: UInt8 = 0
  private var decisions = FrameDecisions()

  package init(mode: ScalabilityMode, codec: VideoCodec) { self.mode = mode }

  /// A key picture is requested until the wanted layer's chain is intact; a layer that the sender has switched off is
  /// not waited for.
  package var needsKeyPicture: Bool {
    guard !target.isNone else { return false }
    let highest = activeLayers > 0 ? min(target.spatial, Int8(activeLayers) - 1) : target.spatial
    return current.isNone || !isWhole(highest)
  }

  package mutating func admits(_ frame: LayerFrame) -> Bool {
    guard !target.isNone else { return false }
    let isAdmitted = decide(frame)
    decisions.record(frame, isAdmitted: isAdmitted)
    for chain in 0..<mode.spatialLayers where mode.isInChain(of: chain, frame) {
      if isAdmitted { dropped &= ~bit(chain) } else { dropped |= bit(chain) }
    }
    return isAdmitted
  }

  private mutating func decide(_ frame: LayerFrame) -> Bool {
    follow(frame)
    var spatial = min(target.spatial, Int8(frame.activeLayers) - 1)
    while spatial >= 0, !isWhole(spatial) { spatial -= 1 }
    guard spatial >= 0,
      mode.indication(of: frame, spatial: Int(spatial), temporal: Int(target.temporal)) != .notPresent,
      !decisions.hasDroppedReference(frame, mode: mode)
    else { return false }
    current = DecodeTarget(spatial: spatial, temporal: target.temporal)
    return true
  }

  /// Updates the chains: a chain is intact from a frame that references nothing until one of its frames is dropped or
  /// its layer is switched on.
  private mutating func follow(_ frame: LayerFrame) {
    if frame.isKeyPicture, frame.spatial == 0 {
      whole = bit(mode.spatialLayers) - 1
      dropped = 0
      activeLayers = frame.activeLayers
    } else if frame.activeLayers != activeLayers {
      if frame.activeLayers > activeLayers { whole &= bit(Int(activeLayers)) - 1 }
      activeLayers = frame.activeLayers
    }
    if mode.beginsChain(frame) {
      for chain in 0..<mode.spatialLayers where mode.isInChain(of: chain, frame) {
        whole |= bit(chain)
        dropped &= ~bit(chain)
      }
    }
    whole &= ~dropped
  }

  private func isWhole(_ spatial: Int8) -> Bool { whole & bit(Int(spatial)) != 0 }
  private func bit(_ spatial: Int) -> UInt8 { 1 << UInt8(spatial) }
}
