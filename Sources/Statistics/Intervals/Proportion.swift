private import CGSL

/// A proportion of runs, such as the share of those in which the first frame arrived in time.
package struct Proportion: Equatable, Sendable {
  package let successes: Int
  package let count: Int

  /// - Returns: `nil` unless 0 <= successes <= count and count > 0.
  package init?(successes: Int, count: Int) {
    guard count > 0, (0...count).contains(successes) else { return nil }
    self.successes = successes
    self.count = count
  }

  package var value: Double { Double(successes) / Double(count) }

  /// Computes the score interval of Wilson, "Probable inference, the law of succession, and statistical inference",
  /// JASA 22 (1927).
  ///
  /// It stays within 0 to 1 and has a width even when no run or every run succeeds. Its coverage oscillates around
  /// the level, since counts are integers.
  ///
  /// - Parameter level: confidence level, above 0 and below 1; anything else gives `nil`.
  package func interval(level: Double = 0.95) -> ConfidenceInterval? {
    guard ConfidenceLevel.isValid(level), GSLErrors.areReturned else { return nil }
    let z = gsl_cdf_ugaussian_Pinv(0.5 + level / 2)
    let n = Double(count)
    let p = value
    let centre = p + z * z / (2 * n)
    let half = z * ((p * (1 - p) + z * z / (4 * n)) / n).squareRoot()
    let scale = 1 + z * z / n
    return ConfidenceInterval(
      low: successes == 0 ? 0 : max(0, (centre - half) / scale),
      high: successes == count ? 1 : min(1, (centre + half) / scale), level: level)
  }
}
