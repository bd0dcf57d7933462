package import Ladder
import Quantity

extension NamedLadder {
  static let agoraDual = NamedLadder(
    name: "agora-dual", summary: "640x360@15 800 and 160x120@5 45 kbps",
    source: "Agora scalable-UI guide, live profile (encoder table, low stream)",
    ladder: .dualStream(
      high: VideoFormat(.p360, framesPerSecond: 15), highRate: .kilobits(800),
      low: VideoFormat(Resolution(width: 160, height: 120), framesPerSecond: 5), lowRate: .kilobits(45)))
}

extension Ladder {
  /// Agora's default dual stream for a capture format in the live profile.
  package static func agora(capture: VideoFormat) -> Ladder {
    let low = AgoraLowStream.live(of: capture.resolution)
    return .dualStream(
      high: capture, highRate: AgoraEncoderTable.live(capture), low: low.format, lowRate: low.rate)
  }
}
