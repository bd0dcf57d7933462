package import Ladder
package import Quantity

/// Rate limits of a single stream in libwebrtc, by resolution.
package enum SinglecastLimits {
  /// Codec groups with different limits.
  package enum Codec: Sendable, BitwiseCopyable, CaseIterable {
    /// VP8 and H.264.
    case vp8
    /// VP9 and H.265.
    case vp9
    case av1

    package init(_ codec: VideoCodec) {
      self =
        switch codec {
        case .vp8, .h264: .vp8
        case .vp9: .vp9
        case .av1: .av1
        }
    }
  }

  /// Minimum rate of a stream.
  package static let least = BitRate.kilobits(30)

  /// Returns the minimum rate to start at or step up to a resolution
  /// (`rtc_base/experiments/encoder_info_settings.cc`): that of the smallest listed resolution at least as large;
  /// `nil` above 1920x1080.
  package static func start(pixels: Int, codec: Codec) -> BitRate? {
    let kilobits: (Int64, Int64, Int64, Int64, Int64, Int64) =
      switch codec {
      case .vp8: (0, 200, 300, 500, 900, 2000)
      case .vp9: (0, 120, 190, 350, 480, 1000)
      case .av1: (0, 176, 256, 384, 576, 1000)
      }
    switch pixels {
    case ...Resolution.p180.pixels: return .kilobits(kilobits.0)
    case ...Resolution.p270.pixels: return .kilobits(kilobits.1)
    case ...Resolution.p360.pixels: return .kilobits(kilobits.2)
    case ...Resolution.p540.pixels: return .kilobits(kilobits.3)
    case ...Resolution.p720.pixels: return .kilobits(kilobits.4)
    case ...Resolution.p1080.pixels: return .kilobits(kilobits.5)
    default: return nil
    }
  }

  /// Checks whether a rate is too low to start at this number of pixels (`video/video_stream_encoder.cc`,
  /// DropDueToSize).
  package static func isTooLow(_ rate: BitRate, pixels: Int, codec: Codec) -> Bool {
    if let start = start(pixels: pixels, codec: codec) { return rate < start }
    if rate < .kilobits(300) { return pixels > 320 * 240 }
    if rate < .kilobits(500) { return pixels > 640 * 480 }
    return false
  }

  /// Returns the default maximum rate of a resolution, used if the application sets none
  /// (`video/config/encoder_stream_factory.cc`).
  package static func defaultMaximum(of size: Resolution) -> BitRate {
    switch size.pixels {
    case ...(320 * 240): .kilobits(600)
    case ...(640 * 480): .kilobits(1700)
    case ...(960 * 540): .kilobits(2000)
    default: .kilobits(2500)
    }
  }
}
