import Ladder
import Systems

extension BlueJeans {
  /// Qualities that an entry of a request can ask for: `StreamQuality` of the iOS and Android SDKs. The web SDK has
  /// only those at 15 and 30 fps.
  static let qualities: [VideoFormat] =
    [3000, 7500, 15_000].map { VideoFormat(.p90, milliFramesPerSecond: $0) }
    + [Resolution.p180, .p360, .p720].flatMap { size in
      [7500, 15_000, 30_000].map { VideoFormat(size, milliFramesPerSecond: $0) }
    }
}
