import Plan
import Quantity
import SimulationKernel
import Systems

/// State for switches and their key frames that the rules of some servers need, by track.
package struct SwitchMemory: ~Copyable {
  /// Time at which each track's last key frame group began, where key frames come in groups.
  var keyFrameGroups: Table<LastTime>
  /// Time at which each track last fell back to a lower encoding, where it can.
  var fallenBackAt: Table<LastTime>
  /// Number of tracks of each source on a replacement encoding, where encodings are replaced.
  var substitutes: [Int]
  /// Allowances for key frame requests, by track, where a viewer's requests are limited.
  var requestLimits: Table<KeyFrameAllowance>
  /// Filters of tracks of scalable sources; `nil` in a meeting without them.
  let filters: (any LayerFilters)?

  init(_ rules: ForwardingRules, _ streams: StreamNumbering) {
    let tracks = streams.trackCount
    keyFrameGroups = Table(repeating: .never, count: rules.hasKeyFrameGroups ? tracks : 0)
    fallenBackAt = Table(repeating: .never, count: rules.fallback != nil ? tracks : 0)
    substitutes = streams.sources.map { _ in 0 }
    requestLimits = Table(
      repeating: KeyFrameAllowance(), count: rules.keyFrames.viewerLimit != nil ? tracks : 0)
    filters = streams.hasScalableSources ? rules.layerFilter?.filters(tracks: tracks) : nil
  }
}
