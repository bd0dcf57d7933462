import Ladder
import Plan

/// Fixed properties of a source, as the SFU knows them.
struct SourceTraits {
  /// Encodings that are requested even without a viewer.
  let alwaysWanted: EncodingSet
  /// Mode and codec of a stream with several spatial layers; `nil` for any other source.
  let scalable: (mode: ScalabilityMode, codec: VideoCodec)?
  /// Set if its app pushes frames at some time.
  let takesFrames: Bool
  /// Set if its sender follows the height that receivers request.
  let followsRequests: Bool

  init(_ plan: VideoSourcePlan?, alwaysWanted: EncodingSet, takesFrames: Bool) {
    self.alwaysWanted = alwaysWanted
    self.takesFrames = takesFrames
    followsRequests = plan?.layersAtHeight != nil
    scalable = plan.flatMap { own in own.layeredMode.map { ($0, own.codec) } }
  }
}
