/// A difference of two means, with the confidence interval and two-sided p-value of Student's t.
package struct MeanDifference: Equatable, Sendable {
  /// Mean of the second minus mean of the first.
  package let difference: Double
  /// Confidence interval; `nil` below two values per side, and of zero width when nothing varies.
  package let interval: ConfidenceInterval?
  /// Probability of a difference at least as large if the means were equal; `nil` below two values per side. Where
  /// nothing varies it is 1 for no difference and 0 for any.
  package let pValue: Double?
  /// Degrees of freedom of the t distribution; 0 where there is none.
  package let degreesOfFreedom: Double

  /// Estimates the mean difference of pairs, such as runs with the same seed under two policies.
  ///
  /// Influences that both values of a pair share cancel out, so with common random numbers the interval is usually
  /// much narrower than that of ``unpaired(_:_:level:)`` (Law, *Simulation Modeling and Analysis*, 5th ed., section
  /// 10.2.1).
  ///
  /// - Parameters:
  ///   - pairs: one per run; those with a non-finite value are ignored.
  ///   - level: confidence level, above 0 and below 1; anything else gives no interval.
  /// - Returns: `nil` if there is no pair.
  package static func paired(
    _ pairs: some Sequence<(first: Double, second: Double)>, level: Double = 0.95
  ) -> MeanDifference? {
    let differences = pairs.map { $0.second - $0.first }
    guard let estimate = MeanEstimate(values: differences, level: level) else { return nil }
    guard let sd = estimate.standardDeviation else {
      return MeanDifference(difference: estimate.mean, interval: nil, pValue: nil, degreesOfFreedom: 0)
    }
    return MeanDifference(
      difference: estimate.mean, standardError: sd / Double(estimate.count).squareRoot(),
      degreesOfFreedom: Double(estimate.count - 1), level: level)
  }

  /// Estimates the difference of the means of two independent samples whose variances may differ.
  ///
  /// Degrees of freedom after Welch, "The generalization of 'Student's' problem when several different population
  /// variances are involved", Biometrika 34 (1947).
  ///
  /// - Returns: `nil` if a side has no finite value.
  package static func unpaired(
    _ first: some Sequence<Double>, _ second: some Sequence<Double>, level: Double = 0.95
  ) -> MeanDifference? {
    guard let a = MeanEstimate(values: first, level: level),
      let b = MeanEstimate(values: second, level: level)
    else { return nil }
    let difference = b.mean - a.mean
    guard let sdA = a.standardDeviation, let sdB = b.standardDeviation else {
      return MeanDifference(difference: difference, interval: nil, pValue: nil, degreesOfFreedom: 0)
    }
    let varianceA = sdA * sdA / Double(a.count)
    let varianceB = sdB * sdB / Double(b.count)
    let sum = varianceA + varianceB
    let divisor = varianceA * varianceA / Double(a.count - 1) + varianceB * varianceB / Double(b.count - 1)
    return MeanDifference(
      difference: difference, standardError: sum.squareRoot(),
      degreesOfFreedom: divisor > 0 ? sum * sum / divisor : Double(a.count + b.count - 2), level: level)
  }

  private init(
    difference: Double, interval: ConfidenceInterval?, pValue: Double?, degreesOfFreedom: Double
  ) {
    self.difference = difference
    self.interval = interval
    self.pValue = pValue
    self.degreesOfFreedom = degreesOfFreedom
  }

  private init(difference: Double, standardError: Double, degreesOfFreedom: Double, level: Double) {
    let p: Double? =
      standardError > 0
      ? StudentT.twoSidedProbability(difference / standardError, degreesOfFreedom: degreesOfFreedom)
      : difference == 0 ? 1 : 0
    self.init(
      difference: difference,
      interval: StudentT.interval(
        around: difference, standardError: standardError, degreesOfFreedom: degreesOfFreedom, level: level),
      pValue: p, degreesOfFreedom: degreesOfFreedom)
  }
}
