package import Ladder
import Quantity
import Systems

extension NamedLadder {
  static let agoraDual = NamedLadder(
    name: "agora-dual", summary: "the capture, 800 kbps at 640x360@15, and 160x120@5 45 kbps",
    source: "Agora scalable-UI guide, live profile (encoder table, low stream)",
    ladder: .agoraDual(capture: VideoFormat(.p360, framesPerSecond: 15)), fitted: Ladder.agoraDual(capture:))
}

extension Ladder {
  /// Returns Agora's default dual stream for a capture format.
  package static func agora(capture: VideoFormat, profile: AgoraParameters.Profile) -> Ladder {
    let rate = AgoraEncoderTable.rate(of: capture, profile: profile)
    let low =
      switch profile {
      case .live: AgoraLowStream.live(of: capture.resolution)
      case .communication: AgoraLowStream.communication(of: capture.resolution, rate: rate)
      }
    return dualStream(capture, rate, low.format, low.rate)
  }

  /// Returns the dual stream of Agora's scalable-UI guide: a live high stream and the guide's low one, in the capture's
  /// orientation and no larger than the capture.
  fileprivate static func agoraDual(capture: VideoFormat) -> Ladder {
    let low = Resolution(width: 160, height: 120).turned(like: capture.resolution)
    return dualStream(
      capture, AgoraEncoderTable.rate(of: capture, profile: .live),
      VideoFormat(low.fits(in: capture.resolution) ? low : capture.resolution, framesPerSecond: 5),
      .kilobits(45))
  }

  /// Combines a high and a low stream; a default low stream whose rate would not be below the high one's gets the bit
  /// rate of the frames that it keeps [our model].
  private static func dualStream(
    _ high: VideoFormat, _ highRate: BitRate, _ low: VideoFormat, _ lowRate: BitRate
  ) -> Ladder {
    let share = Double(low.milliFramesPerSecond) / Double(max(high.milliFramesPerSecond, 1))
    return .dualStream(
      high: high, highRate: highRate, low: low,
      lowRate: lowRate < highRate ? lowRate : highRate.scaled(by: min(1, share)),
      lowStream: AgoraLowStream.limits)
  }
}
