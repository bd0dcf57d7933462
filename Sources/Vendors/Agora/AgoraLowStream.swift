package import Ladder
package import Quantity
import Systems

/// Agora's default low stream ("Video for Multiple Users", SDK 3.x).
package enum AgoraLowStream {
  /// Limits within which an app may set the low stream.
  static let limits = LowStreamLimits(
    format: VideoFormat(Resolution(width: 640, height: 480), framesPerSecond: 30), bitrate: .kilobits(1000))

  /// Returns the default of the communication profile: 45 % of each side, the longer at least 64 and at most 288 px,
  /// width a multiple of 4, even height, no larger than the high stream [our model]; 5 fps; a tenth of the high
  /// stream's bit rate.
  package static func communication(of high: Resolution, rate: BitRate) -> (
    format: VideoFormat, rate: BitRate
  ) {
    var width = Double(high.width) * 0.45
    var height = Double(high.height) * 0.45
    let longest = max(width, height)
    let bounded = min(max(longest, 64), 288)
    if longest != bounded {
      // The longer side is the bound itself, without rounding errors.
      width = high.width >= high.height ? bounded : width * bounded / longest
      height = high.height >= high.width ? bounded : height * bounded / longest
    }
    let size = Resolution(
      width: Int((width / 4).rounded(.up)) * 4, height: max(2, Int((height / 2).rounded()) * 2))
    return (
      VideoFormat(size.fits(in: high) ? size : high, framesPerSecond: 5),
      .kilobits((rate.bitsPerSecond + 5_000) / 10_000)
    )
  }

  /// Returns the default of the live profile: size and bit rate by the high stream's aspect ratio; always 5 fps. A
  /// smaller high stream has a low stream of the same size [our model].
  package static func live(of high: Resolution) -> (format: VideoFormat, rate: BitRate) {
    let table: [(w: Int, h: Int, size: Resolution, kilobits: Int64)] = [
      (1, 1, Resolution(width: 160, height: 160), 68), (3, 4, Resolution(width: 120, height: 160), 45),
      (4, 3, Resolution(width: 160, height: 120), 45), (9, 16, Resolution(width: 108, height: 192), 50),
      (16, 9, Resolution(width: 192, height: 108), 50),
    ]
    let row = table.first { high.width * $0.h == high.height * $0.w }
    let size =
      row?.size
      ?? (high.width >= high.height
        ? Resolution(width: 160, height: max(16, 160 * high.height / high.width / 2 * 2))
        : Resolution(width: max(16, 160 * high.width / high.height / 2 * 2), height: 160))
    return (
      VideoFormat(size.fits(in: high) ? size : high, framesPerSecond: 5), .kilobits(row?.kilobits ?? 68)
    )
  }
}
