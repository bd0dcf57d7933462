private import CGSL

/// Student's t distribution.
package enum StudentT {
  /// Returns the quantile of a probability; `nil` outside 0 < p < 1 or without degrees of freedom.
  package static func quantile(_ probability: Double, degreesOfFreedom: Double) -> Double? {
    guard probability > 0, probability < 1, degreesOfFreedom > 0, GSLErrors.areReturned else { return nil }
    return gsl_cdf_tdist_Pinv(probability, degreesOfFreedom)
  }

  /// Returns the probability of a value at least this far from zero in either direction; `nil` without degrees of
  /// freedom.
  package static func twoSidedProbability(_ t: Double, degreesOfFreedom: Double) -> Double? {
    guard !t.isNaN, degreesOfFreedom > 0, GSLErrors.areReturned else { return nil }
    return min(1, 2 * gsl_cdf_tdist_Q(abs(t), degreesOfFreedom))
  }

  /// Returns the confidence interval of an estimate with this standard error.
  static func interval(
    around estimate: Double, standardError: Double, degreesOfFreedom: Double, level: Double
  ) -> ConfidenceInterval? {
    guard ConfidenceLevel.isValid(level),
      let t = quantile(0.5 + level / 2, degreesOfFreedom: degreesOfFreedom)
    else { return nil }
    let half = t * standardError
    return ConfidenceInterval(low: estimate - half, high: estimate + half, level: level)
  }
}
