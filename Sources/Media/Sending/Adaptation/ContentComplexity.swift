package import Ladder
package import Quantity

/// Bits needed for a given quality, over the picture's size.
package struct ContentComplexity: Hashable, Sendable, BitwiseCopyable {
  /// Spectrum of the picture's detail: how the bits at equal quantizer grow with the picture's size.
  package enum Spectrum: Hashable, Sendable, BitwiseCopyable {
    /// Measured talking heads (``TalkingHead``).
    case talkingHead
    /// Fine detail, which makes small pictures expensive: fitted to the times at which the camera of recorded Chromium
    /// calls reached each height.
    case detailed

    /// Returns the content ceiling at 30 fps [bit/s].
    fileprivate func ceiling(pixels: Double) -> Double {
      switch self {
      case .talkingHead: TalkingHead.ceiling(pixels: pixels)
      case .detailed: SizeTable.interpolate(Self.detailedCeilings, at: pixels)
      }
    }

    /// Rates at 160x90, 180p, 270p, 360p, 540p, 720p and 1080p [bit/s]; the first and the last are extrapolated.
    private static let detailedCeilings: [(pixels: Double, value: Double)] = [
      (14_400, 600_000), (57_600, 1_500_000), (129_600, 2_100_000), (230_400, 2_900_000),
      (518_400, 4_900_000), (921_600, 8_400_000), (2_073_600, 16_800_000),
    ]
  }

  /// Bits at equal quantizer, relative to the spectrum's own; above 0.
  package var factor: Double
  package var spectrum: Spectrum
  /// Bits of a key frame, relative to those of a talking head that needs the same bits otherwise; above 0.
  package var keyFrames: Double

  /// - Precondition: `factor > 0`, `keyFrames > 0`.
  package init(factor: Double, spectrum: Spectrum = .talkingHead, keyFrames: Double = 1) {
    precondition(factor > 0, "complexity \(factor) is not above 0")
    precondition(keyFrames > 0, "key frames of \(keyFrames) are not above 0")
    self.factor = factor
    self.spectrum = spectrum
    self.keyFrames = keyFrames
  }

  /// Measured talking heads (``TalkingHead``).
  package static let talkingHead = ContentComplexity(factor: 1)
  /// Textured still background with a changing foreground: fitted to the times at which recorded Chromium calls on
  /// constant links reached each height.
  package static let textured = ContentComplexity(factor: 3.1)
  /// Finer detail and more change than ``textured``, as in the Chromium calls that were recorded on bad networks.
  package static let rich = ContentComplexity(factor: 1, spectrum: .detailed)

  /// Screen share: like a talking head while it changes, with key frames 2.5 times as large (our model).
  package static let screen = ContentComplexity(factor: 1, keyFrames: 2.5)

  /// Rate of 720p30 without compression, at 12 bits per pixel.
  package static let uncompressed = BitRate(
    bitsPerSecond: Int64(Resolution.p720.pixels) * 12 * 30)

  package static let named: [(name: String, content: ContentComplexity)] = [
    ("talking-head", .talkingHead), ("textured", .textured), ("rich", .rich), ("screen", .screen),
  ]

  /// Creates content that scales like a talking head and uses a given rate at 1280x720 and 30 fps when unlimited.
  ///
  /// - Parameter ceiling: above 0.
  package init(ceiling: BitRate) {
    self.init(
      factor: Double(ceiling.bitsPerSecond) / TalkingHead.ceiling(pixels: Double(Resolution.p720.pixels)))
  }

  /// Returns this content, made more complex if it would not use the rate documented for its encoder at a format.
  package func using(atLeast rate: BitRate, at format: VideoFormat) -> ContentComplexity {
    let own = ContentDemand(format, content: self).ceiling
    guard own < Double(rate.bitsPerSecond) else { return self }
    return ContentComplexity(
      factor: factor * Double(rate.bitsPerSecond) / own, spectrum: spectrum, keyFrames: keyFrames)
  }

  /// Limits an encoding to the rate that this content can use.
  package func limiting(_ encoding: Encoding) -> Encoding {
    let ceiling = ContentDemand(encoding.format, content: self).ceiling
    let share = ceiling / Double(max(encoding.bitrate.bitsPerSecond, 1))
    guard share < 1 else { return encoding }
    var limited = encoding
    limited.cumulativeBitrates = encoding.cumulativeBitrates.map { $0.scaled(by: share) }
    return limited
  }

  /// Returns the content ceiling at 30 fps [bit/s].
  fileprivate func ceiling(pixels: Double) -> Double { factor * spectrum.ceiling(pixels: pixels) }
}

/// Bits needed by the frames of a format.
///
/// Our model: the bits of a frame are inversely proportional to the quantizer step, down to the step at which there is
/// nothing more to encode (the content ceiling), and proportional to the square root of the frame interval: rate is a
/// power of frame rate (Ma et al., IEEE TCSVT 22(5), 2012); libvpx shows the exponent 1/2 when it codes every second to
/// twelfth frame of a moving texture (0.47 to 0.49). The measured ceilings are taken as the rate at a VP8 step of 10,
/// the finest that the measured encoder's camera mode uses (H.264 quantizer 12, a step of 2.5 in samples; VP8's steps
/// are four times as large for the same coarseness). The measured key frame sizes are taken at a step of 40.
package struct ContentDemand: BitwiseCopyable, Sendable {
  /// Finest step used by delta frames.
  package static let finestStep = 10.0
  /// Step of the measured key frame sizes.
  package static let keyFrameStep = 40.0

  /// Bits of a delta frame at the content ceiling.
  package let ceilingBits: Double
  /// Bits of a key frame at ``keyFrameStep``.
  package let keyFrameBits: Double
  /// Mean absolute deviation of a delta frame's size, relative to its mean.
  package let deviation: Double
  /// Number of macroblocks (16x16).
  package let macroblocks: Int
  /// Content ceiling: the rate above which the content needs no more bits [bit/s].
  package let ceiling: Double

  package init(_ format: VideoFormat, content: ContentComplexity) {
    let size = format.resolution
    let pixels = Double(size.pixels)
    let full = content.ceiling(pixels: pixels)
    ceiling = full * (format.framesPerSecond / 30).squareRoot()
    ceilingBits = ceiling / format.framesPerSecond
    let head = full / TalkingHead.ceiling(pixels: pixels)
    keyFrameBits = head * TalkingHead.keyFrameBytes(pixels: pixels) * content.keyFrames * 8
    deviation = TalkingHead.deviation(pixels: pixels)
    macroblocks = ((size.width + 15) / 16) * ((size.height + 15) / 16)
  }

  /// Returns the bits of a delta frame.
  ///
  /// - Parameters:
  ///   - step: quantizer step; below ``finestStep`` there is nothing more to encode.
  ///   - interval: time since the last coded frame [frames], at least 1. The bits grow with its square root, up to
  ///     those of a key frame.
  package func bits(atStep step: Double, after interval: Int = 1) -> Double {
    let step = max(step, Self.finestStep)
    let bits = ceilingBits * Self.finestStep / step
    guard interval > 1 else { return bits }
    return min(bits * Double(interval).squareRoot(), max(bits, keyFrameBits * Self.keyFrameStep / step))
  }
}
