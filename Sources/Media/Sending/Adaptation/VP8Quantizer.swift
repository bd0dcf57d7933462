/// VP8 quantizer indices, 0 (finest) to 127: the QP of WebRTC statistics and thresholds.
package enum VP8Quantizer {
  /// Finest index configured by libwebrtc (libvpx quantizer 2 of 63, `libvpx_vp8_encoder.cc`).
  package static let finest = 2
  /// Coarsest index configured by libwebrtc (libvpx quantizer 56 of 63).
  package static let coarsest = 106

  /// Returns the AC step of an index (RFC 6386 section 14.1): increments of 1 up to index 54, then 2, 3 and 4; exact
  /// up to ``coarsest``.
  package static func step(_ index: Int) -> Double {
    switch index {
    case ...54: Double(index + 4)
    case ...83: Double(58 + 2 * (index - 54))
    case ...102: Double(116 + 3 * (index - 83))
    default: Double(173 + 4 * (index - 102))
    }
  }

  /// Returns the finest usable index with at least this step.
  package static func index(step: Double) -> Int {
    let exact: Double
    switch step {
    case ...58: exact = step - 4
    case ...116: exact = 54 + (step - 58) / 2
    case ...173: exact = 83 + (step - 116) / 3
    default: exact = 102 + (step - 173) / 4
    }
    return min(max(Int(exact.rounded(.up)), finest), coarsest)
  }

  /// Returns the index at which a fresh encoder codes its first frame to meet a size: libvpx does not know the
  /// content yet and assumes 4,500,000 / 512 bits per macroblock divided by the mean of its DC and AC steps
  /// (`vp8/encoder/ratectrl.c`, table of bits per macroblock).
  package static func firstFrameIndex(bits: Double, macroblocks: Int) -> Int {
    let step = 4_500_000.0 / 512 * Double(macroblocks) / max(bits, 1)
    // Mean of DC and AC step, linear between these indices.
    let knots: [(index: Double, step: Double)] = [
      (0, 4), (29, 30), (54, 49), (81, 76), (95, 89), (106, 108),
    ]
    guard let upper = knots.firstIndex(where: { $0.step >= step }) else { return coarsest }
    guard upper > 0 else { return finest }
    let a = knots[upper - 1]
    let b = knots[upper]
    let exact = a.index + (b.index - a.index) * (step - a.step) / (b.step - a.step)
    return min(max(Int(exact.rounded(.up)), finest), coarsest)
  }
}

/// libvpx's prediction of delta frame sizes, from which it takes their quantizer (`vp8/encoder/ratectrl.c`,
/// vp8_regulate_q, vp8_update_rate_correction_factors).
///
/// A fresh encoder does not know the content: its first delta frames are too coarse, and a quarter of the error is
/// corrected with each of them. After dropped frames the next one is larger than predicted.
package struct VP8SizePrediction: BitwiseCopyable, Sendable {
  /// Share of an error that is corrected.
  private static let damping = 0.25
  /// Bits of a macroblock times the AC step (table of bits per macroblock, delta frames).
  private static let bitsPerMacroblock = 2_850_000.0 / 512
  private static let corrections = 0.01...50.0

  private let scale: Double
  /// Content's size relative to the table's.
  private var correction = 1.0

  package init(macroblocks: Int) { scale = Self.bitsPerMacroblock * Double(macroblocks) }

  /// Returns the finest index whose predicted size does not exceed a target [bit].
  package func index(bits: Double) -> Int { VP8Quantizer.index(step: scale * correction / max(bits, 1)) }

  /// Corrects the prediction by the size of an encoded frame [bit].
  package mutating func learn(bits: Double, index: Int) {
    let percent = (100 * bits / (scale * correction / VP8Quantizer.step(index))).rounded(.towardZero)
    guard percent > 102 || percent < 99 else { return }
    correction *= (100 + (percent - 100) * Self.damping).rounded() / 100
    correction = min(max(correction, Self.corrections.lowerBound), Self.corrections.upperBound)
  }
}
