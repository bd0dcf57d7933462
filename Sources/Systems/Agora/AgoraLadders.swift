package import Ladder
import Quantity

extension NamedLadder {
  static let agoraDual = NamedLadder(
    name: "agora-dual", summary: "the capture, 800 kbps at 640x360@15, and 160x120@5 45 kbps",
    source: "Agora scalable-UI guide, live profile (encoder table, low stream)",
    ladder: .agoraDual(capture: VideoFormat(.p360, framesPerSecond: 15)), fitted: Ladder.agoraDual(capture:))
}

extension Ladder {
  /// Agora's default dual stream for a capture format.
  package static func agora(capture: VideoFormat, profile: AgoraParameters.Profile) -> Ladder {
    let rate = AgoraEncoderTable.rate(of: capture, profile: profile)
    let low =
      switch profile {
      case .live: AgoraLowStream.live(of: capture.resolution)
      case .communication: AgoraLowStream.communication(of: capture.resolution, rate: rate)
      }
    return .dualStream(
      high: capture, highRate: rate, low: low.format, lowRate: low.rate, lowStream: AgoraLowStream.limits)
  }

  /// The dual stream of Agora's scalable-UI guide: a live high stream and the guide's low one, turned as the capture is.
  fileprivate static func agoraDual(capture: VideoFormat) -> Ladder {
    let low = Resolution(width: 160, height: 120).turned(like: capture.resolution)
    return .dualStream(
      high: capture, highRate: AgoraEncoderTable.rate(of: capture, profile: .live),
      low: VideoFormat(low, framesPerSecond: 5), lowRate: .kilobits(45), lowStream: AgoraLowStream.limits)
  }
}
