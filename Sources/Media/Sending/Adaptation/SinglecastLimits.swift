package import Ladder
package import Quantity

/// The rates that libwebrtc holds a single stream to, by picture size.
package enum SinglecastLimits {
  /// Codecs whose limits differ.
  package enum Codec: Sendable, BitwiseCopyable, CaseIterable {
    /// VP8 and H.264.
    case vp8
    /// VP9 and H.265.
    case vp9
    case av1
  }

  /// The least that a stream is given.
  package static let least = BitRate.kilobits(30)

  /// The rate from which a size may be sent or stepped up to
  /// (`rtc_base/experiments/encoder_info_settings.cc`): that of the smallest listed size that is as large; `nil` above
  /// 1920x1080.
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

  /// Whether a rate is too low to begin with this many pixels (`video/video_stream_encoder.cc`, DropDueToSize).
  package static func isTooLow(_ rate: BitRate, pixels: Int, codec: Codec) -> Bool {
    if let start = start(pixels: pixels, codec: codec) { return rate < start }
    if rate < .kilobits(300) { return pixels > 320 * 240 }
    if rate < .kilobits(500) { return pixels > 640 * 480 }
    return false
  }

  /// The most that a stream of a size gets where the application sets no maximum
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
