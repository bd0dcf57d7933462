private import CGSL

/// Steady-state mean of one long run, by the method of batch means.
///
/// Values within a run are correlated; the means of sufficiently long batches hardly are, so a Student-t interval
/// over them is valid (Law, *Simulation Modeling and Analysis*, 5th ed., section 9.5.3). Their lag-1
/// autocorrelation tests whether the batches are long enough. The warm-up must be truncated first (``WarmUpRule``).
package struct BatchMeans: Equatable, Sendable {
  /// Mean over batches, with its confidence interval.
  package let estimate: MeanEstimate
  package let batchSize: Int
  /// Number of leading values left over after division into batches, which are ignored.
  package let unused: Int
  /// Lag-1 autocorrelation of the batch means, -1 to 1; 0 when all are equal.
  package let lag1Autocorrelation: Double
  /// Set when von Neumann's test finds the batch means correlated, in which case the interval is too narrow.
  ///
  /// The statistic and its variance are those of Fishman, *Grouping observations in digital simulation*, Management
  /// Science 24 (1978); one-sided, 5 %.
  package let areCorrelated: Bool

  /// - Parameters:
  ///   - series: values at equal intervals of simulated time.
  ///   - batches: number of batches; 20 to 30 are usual.
  ///   - level: confidence level, above 0 and below 1.
  /// - Returns: `nil` below 3 batches, if a batch would be empty, or if a value is not finite.
  package init?(series: some Collection<Double>, batches: Int = 20, level: Double = 0.95) {
    guard batches >= 3, series.count >= batches, series.allSatisfy(\.isFinite) else { return nil }
    batchSize = series.count / batches
    unused = series.count - batches * batchSize
    var rest = series.dropFirst(unused)
    var means: [Double] = []
    while !rest.isEmpty {
      means.append(rest.prefix(batchSize).reduce(0, +) / Double(batchSize))
      rest = rest.dropFirst(batchSize)
    }
    guard let estimate = MeanEstimate(values: means, level: level) else { return nil }
    self.estimate = estimate
    let squares = means.reduce(0) { $0 + ($1 - estimate.mean) * ($1 - estimate.mean) }
    guard squares > 0 else {
      lag1Autocorrelation = 0
      areCorrelated = false
      return
    }
    lag1Autocorrelation = gsl_stats_lag1_autocorrelation(means, 1, means.count)
    let first = means[0] - estimate.mean
    let last = means[means.count - 1] - estimate.mean
    let k = Double(means.count)
    let statistic = lag1Autocorrelation + (first * first + last * last) / (2 * squares)
    areCorrelated = statistic > gsl_cdf_ugaussian_Pinv(0.95) * ((k - 2) / (k * k - 1)).squareRoot()
  }
}
