package import Quantity

/// How much a picture's content costs to encode.
package struct ContentComplexity: Hashable, Sendable, BitwiseCopyable {
  /// Rate of 1280x720 at 30 fps at which VP8 reaches a quantizer of 29, where libwebrtc's quality scaler calls the
  /// picture good enough to enlarge it.
  package var goodRate: BitRate

  package init(goodRate: BitRate) { self.goodRate = goodRate }

  /// A person before a still background (our estimate from the content ceilings of 59 syncodecs traces).
  package static let talkingHead = ContentComplexity(goodRate: .kilobits(700))
  /// A textured background with a moving area; uses about 2.5 Mbit/s at 720p when nothing limits it.
  package static let rich = ContentComplexity(goodRate: .kilobits(2500))

  package static let named: [(name: String, content: ContentComplexity)] = [
    ("talking-head", .talkingHead), ("rich", .rich),
  ]

  /// The rate at which a size reaches a quantizer of 29.
  ///
  /// Our model: rate grows with the 0.75th power of the pixels, as larger pictures of the same content are smoother.
  func goodRate(pixels: Int) -> Double {
    let share = Double(pixels) / 921_600
    return Double(goodRate.bitsPerSecond) * share.squareRoot() * share.squareRoot().squareRoot()
  }

  /// VP8's quantizer (0 to 127) at a rate.
  ///
  /// Our model: logarithmic in the rate, 29 at the good rate and 95 at a fifth of it.
  func quantizer(rate: Double, pixels: Int) -> Double {
    let ratio = goodRate(pixels: pixels) / max(rate, 1)
    // 66 / ln 5 = 41; ln by halves keeps the result the same on every processor.
    var left = ratio
    var quantizer = 29.0
    while left >= 2 {
      left /= 2
      quantizer += 28.42
    }
    while left < 1, quantizer > 0 {
      left *= 2
      quantizer -= 28.42
    }
    quantizer += 28.42 * (left - 1)
    return min(max(quantizer, 0), 127)
  }

  /// How much frame sizes scatter relative to a talking head's.
  var scatter: Double {
    min(1, Double(Self.talkingHead.goodRate.bitsPerSecond) / Double(max(goodRate.bitsPerSecond, 1)))
  }

  /// The least rate at a size: an eighth of the good one, where the quantizer is at its end.
  func leastRate(pixels: Int) -> Double { goodRate(pixels: pixels) / 8 }
}
