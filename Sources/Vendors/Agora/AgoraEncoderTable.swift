package import Ladder
package import Quantity
import Systems

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Agora's recommended bit rates for the high stream (`VideoEncoderConfiguration.bitrate`).
package enum AgoraEncoderTable {
  /// Recommendations for the communication profile; bit rates in kbps.
  private static let communication: [(width: Int, height: Int, framesPerSecond: Int, kilobits: Int64)] = [
    (120, 120, 15, 50), (160, 120, 15, 65), (180, 180, 15, 100), (240, 180, 15, 120), (240, 240, 15, 140),
    (320, 180, 15, 140), (320, 240, 15, 200), (360, 360, 15, 260), (360, 360, 30, 400), (424, 240, 15, 220),
    (480, 360, 15, 320), (480, 360, 30, 490), (480, 480, 15, 400), (480, 480, 30, 600), (640, 360, 15, 400),
    (640, 360, 30, 600), (640, 480, 10, 400), (640, 480, 15, 500), (640, 480, 30, 750), (848, 480, 15, 610),
    (848, 480, 30, 930), (960, 720, 15, 910), (960, 720, 30, 1380), (1280, 720, 15, 1130),
    (1280, 720, 30, 1710), (1920, 1080, 15, 2080), (1920, 1080, 30, 3150),
  ]

  /// Returns the bit rate of a format: the live profile uses twice the communication profile's, at most 6500 kbps.
  ///
  /// Formats outside the table use our fit, which is within 3 % of it from 360x360 up: 400 kbps x (pixels /
  /// 230400)^0.75 x (frames per second / 15)^0.6.
  package static func rate(of format: VideoFormat, profile: AgoraParameters.Profile) -> BitRate {
    let size = format.resolution
    let row = communication.first {
      ($0.width, $0.height, $0.framesPerSecond * 1000)
        == (max(size.width, size.height), min(size.width, size.height), format.milliFramesPerSecond)
    }
    let fit =
      400 * pow(Double(size.pixels) / 230_400, 0.75) * pow(format.framesPerSecond / 15, 0.6)
    let base = row?.kilobits ?? Int64(fit.rounded())
    return switch profile {
    case .live: .kilobits(min(6500, 2 * base))
    case .communication: .kilobits(base)
    }
  }
}
