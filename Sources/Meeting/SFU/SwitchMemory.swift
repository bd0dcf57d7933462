import Quantity
import SimulationKernel
import Systems

/// What the rules of some servers remember of tracks, for switches and for the key frames that these need.
struct SwitchMemory: ~Copyable {
  /// By track, where key frames come in groups: when the last group began.
  var keyFrameGroups: Table<LastTime>
  /// By track, where lower encodings stand in: when one was last resorted to.
  var fallenBackAt: Table<LastTime>
  /// By source, where they do: the tracks for which one stands in.
  var substitutes: [Int]
  /// By track, where a viewer's requests are limited.
  var requestLimits: Table<KeyFrameAllowance>

  init(_ rules: ForwardingRules, _ streams: StreamNumbering) {
    let tracks = streams.trackCount
    keyFrameGroups = Table(repeating: .never, count: rules.hasKeyFrameGroups ? tracks : 0)
    fallenBackAt = Table(repeating: .never, count: rules.fallback != nil ? tracks : 0)
    substitutes = streams.sources.map { _ in 0 }
    requestLimits = Table(
      repeating: KeyFrameAllowance(), count: rules.keyFrames.viewerLimit != nil ? tracks : 0)
  }
}
