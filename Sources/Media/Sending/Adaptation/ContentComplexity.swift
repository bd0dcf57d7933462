package import Ladder
package import Quantity

/// Bits needed for a given quality, relative to a talking head.
package struct ContentComplexity: Hashable, Sendable, BitwiseCopyable {
  /// Bits of a 640x360 frame at equal quantizer, relative to a talking head; above 0.
  package var factor: Double
  /// Evenness of detail in the picture: at 0, larger pictures need fewer bits per pixel, as measured for talking
  /// heads; at 1, all sizes need the same.
  package var evenness: Double
  /// Bits of a key frame, relative to a talking head of the same factor; above 0.
  package var keyFrames: Double

  /// - Precondition: `factor > 0`, `evenness` in 0 to 1, `keyFrames > 0`.
  package init(factor: Double, evenness: Double = 0, keyFrames: Double = 1) {
    precondition(factor > 0, "complexity \(factor) is not above 0")
    precondition((0...1).contains(evenness), "evenness \(evenness) is not in 0 to 1")
    precondition(keyFrames > 0, "key frames of \(keyFrames) are not above 0")
    self.factor = factor
    self.evenness = evenness
    self.keyFrames = keyFrames
  }

  /// Measured talking heads (``TalkingHead``).
  package static let talkingHead = ContentComplexity(factor: 1)
  /// Textured background with a changing foreground, as in the recorded Chromium calls: at 480x270 with 1700 kbps
  /// allowed they used 1.4 to 1.8 Mbps, 3.4 to 4.4 times a talking head's ceiling at that size, and every size took
  /// about the same bits per pixel before it was found fine enough.
  package static let rich = ContentComplexity(factor: 3.8, evenness: 1)

  /// Screen share: like a talking head while it changes, with key frames 2.5 times as large (our model).
  package static let screen = ContentComplexity(factor: 1, keyFrames: 2.5)

  /// What 720p30 takes without compression, 12 bits per pixel.
  package static let uncompressed = BitRate(
    bitsPerSecond: Int64(Resolution.p720.pixels) * 12 * 30)

  package static let named: [(name: String, content: ContentComplexity)] = [
    ("talking-head", .talkingHead), ("rich", .rich), ("screen", .screen),
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
      factor: factor * Double(rate.bitsPerSecond) / own, evenness: evenness, keyFrames: keyFrames)
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

  /// Scales a talking-head quantity to this content at a picture size.
  fileprivate func scaled(_ pixels: Double, _ talkingHead: (Double) -> Double) -> Double {
    let reference = Double(Resolution.p360.pixels)
    let even = talkingHead(reference) * pixels / reference
    return factor * ((1 - evenness) * talkingHead(pixels) + evenness * even)
  }
}

/// Bits needed by the frames of a format.
///
/// Our model: the bits of a frame are inversely proportional to the quantizer step, down to the step at which there is
/// nothing more to encode (the content ceiling), and proportional to the square root of the frame interval: rate is a
/// power of frame rate (Ma et al., IEEE TCSVT 22(5), 2012); the exponent 1/2 is ours. The measured ceilings are taken
/// as the rate at a VP8 step of 10, the finest that the measured encoder's camera mode uses (H.264 quantizer 12, a step
/// of 2.5 in samples; VP8's steps are four times as large for the same coarseness). The measured key frame sizes are
/// taken at a step of 40.
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
    ceiling = content.scaled(pixels, TalkingHead.ceiling) * (format.framesPerSecond / 30).squareRoot()
    ceilingBits = ceiling / format.framesPerSecond
    keyFrameBits = content.scaled(pixels, TalkingHead.keyFrameBytes) * content.keyFrames * 8
    deviation = TalkingHead.deviation(pixels: pixels)
    macroblocks = ((size.width + 15) / 16) * ((size.height + 15) / 16)
  }

  /// Returns the step at which a delta frame has this size, within VP8's range.
  package func step(forBits bits: Double) -> Double {
    let coarsest = VP8Quantizer.step(VP8Quantizer.coarsest)
    return min(max(ceilingBits * Self.finestStep / max(bits, 1), Self.finestStep), coarsest)
  }

  /// Returns the bits of a delta frame at a step of ``finestStep`` or more.
  package func bits(atStep step: Double) -> Double { ceilingBits * Self.finestStep / step }
}
