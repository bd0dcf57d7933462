package import Ladder
import Quantity

/// jitsi-meet's single encoding in VP9 or AV1, whose layers and maximum follow the height that receivers request
/// (`StandardVideoQualitySettings.ts`, lib-jitsi-meet `TPCUtils.ts`).
extension ScalableSending {
  /// Quality levels: minimum lines, and maximum bit rate [kbit/s].
  private static let levels: [(lines: Int, vp9: Int64, av1: Int64)] = [
    (2160, 5000, 4000), (1080, 2500, 2000), (720, 1200, 1000), (360, 300, 300), (0, 100, 100),
  ]

  /// Returns the stream that a camera sends at a height: three spatial layers from 720 lines up, two from 360, one
  /// below.
  package static func jitsi(_ codec: VideoCodec, lines: Int) -> ScalableSending {
    let spatial = lines >= 720 ? 3 : lines >= 360 ? 2 : 1
    let level = levels.first { lines >= $0.lines } ?? levels[levels.count - 1]
    var sending = ScalableSending(
      codec, ScalabilityMode(spatial: spatial, temporal: 3, prediction: .keyPictures),
      maximum: .kilobits(codec == .av1 ? level.av1 : level.vp9))
    sending.followsRequests = true
    return sending
  }
}
