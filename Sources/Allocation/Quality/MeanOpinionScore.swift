package import Ladder
package import Quantity

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Video quality as a mean opinion score, 1 to 5: ITU-T P.1203.1 mode 0, from coded size, bit rate, frame rate and
/// tile size.
///
/// The model is for H.264; other codecs are scored as H.264 at the same rate. Freezes are not included; they have
/// separate columns.
package enum MeanOpinionScore {
  /// Scores a video, to 0.01; `nil` if there is no picture.
  package static func video(
    coded: Resolution, tile: Resolution, bitrate: BitRate, framesPerSecond: Double
  ) -> Double? {
    guard bitrate > .zero, framesPerSecond > 0, coded.pixels > 0, tile.pixels > 0 else { return nil }
    let k = Double(bitrate.bitsPerSecond) / 1000
    let c = Double(coded.pixels)
    let f = framesPerSecond
    let bits = log(k * k / (c * f) + 0.13183165961)
    let q = 11.9983519 - 2.99991847 * log(max(41.2475074001 + log(k) + bits, 1e-9))
    let degradationByCoding = 100 - rating(ofScore: min(max(4.66 - 0.07 * exp(4.06 * q), 1), 5))
    let ratio = max(Double(tile.pixels) / c, 1)
    let degradationByScaling = clamp(72.61 * log10(0.32 * (ratio - 1) + 1))
    var degradationByFrameRate = 0.0
    if f < 24 {
      let rest = 100 - degradationByCoding - degradationByScaling
      degradationByFrameRate = clamp(rest * (30.98 - 1.29 * f) / (64.65 + f))
    }
    return score(
      ofRating: 100 - clamp(degradationByCoding + degradationByScaling + degradationByFrameRate))
  }

  private static func clamp(_ value: Double) -> Double { min(max(value, 0), 100) }

  private static func score(ofRating q: Double) -> Double {
    if q <= 0 { return 1.05 }
    if q >= 100 { return 4.9 }
    return 1.05 + 3.85 * q / 100 + 7e-6 * q * (q - 60) * (100 - q)
  }

  /// Inverts the curve by Newton's method; the final score differs from the recommendation's table by less than 2e-5.
  private static func rating(ofScore score: Double) -> Double {
    let wanted = min(max(score, 1.05), 4.9)
    // The curve is monotonic and close to linear between 6.5 and 100.
    var q = min(max((wanted - 1.05) / 0.0385, 7), 99)
    for _ in 0..<6 {
      let slope = 0.0385 + 7e-6 * (-3 * q * q + 320 * q - 6000)
      let next = min(max(q - (Self.score(ofRating: q) - wanted) / max(slope, 1e-3), 0), 100)
      if next == q { break }
      q = next
    }
    return q
  }
}
