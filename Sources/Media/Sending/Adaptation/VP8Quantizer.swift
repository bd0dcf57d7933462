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

  /// DC steps of the indices up to ``coarsest`` (RFC 6386 section 14.1).
  private static let dcSteps: [Double] = [
    4, 5, 6, 7, 8, 9, 10, 10, 11, 12, 13, 14, 15, 16, 17, 17, 18, 19, 20, 20,
    21, 21, 22, 22, 23, 23, 24, 25, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36,
    37, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 46, 47, 48, 49, 50, 51, 52, 53, 54,
    55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74,
    75, 76, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 91, 93, 95, 96,
    98, 100, 101, 102, 104, 106, 108,
  ]

  /// Bits of a macroblock of a key frame times its DC step that libvpx assumes before it knows the content
  /// (`vp8/encoder/ratectrl.c`, table of bits per macroblock).
  private static let keyFrameMacroblock = 4_500_000.0 / 512

  /// Returns the index at which a fresh encoder codes its first frame to meet a size.
  package static func firstFrameIndex(bits: Double, macroblocks: Int) -> Int {
    let scale = keyFrameMacroblock * Double(macroblocks)
    let step = scale / max(bits, 1)
    guard let index = dcSteps[finest...].firstIndex(where: { $0 >= step }) else { return coarsest }
    // The nearest size, not the largest that fits (vp8_regulate_q).
    let isOverNearer = index > finest && scale / dcSteps[index - 1] - bits < bits - scale / dcSteps[index]
    return isOverNearer ? index - 1 : index
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
