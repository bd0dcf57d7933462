private import CGSL

/// Confidence interval of a quantile over runs, if there are enough runs.
package enum QuantileInterval: Equatable, Sendable {
  case interval(ConfidenceInterval)
  /// No order statistic lies far enough out; at least `needed` runs are required.
  case notEnoughRuns(needed: Int)
}

/// A quantile over runs with its distribution-free confidence interval.
///
/// The interval runs between two order statistics, chosen so that either tail of the binomial count of runs below the
/// quantile has probability at most (1 - level) / 2 (Conover, *Practical Nonparametric Statistics*, 3rd ed.,
/// section 3.2). It assumes only that the values are independent, and its coverage is at least the level, often more,
/// since counts are integers. The 95 % interval of a p95 needs 72 runs, that of a p99 368.
package struct QuantileEstimate: Equatable, Sendable {
  package let probability: Double
  /// Number of finite values; others are ignored.
  package let count: Int
  /// Quantile, interpolated linearly between observations.
  package let value: Double
  package let interval: QuantileInterval

  /// - Parameters:
  ///   - values: one per run.
  ///   - probability: probability of the quantile, above 0 and below 1.
  ///   - level: confidence level, above 0 and below 1.
  /// - Returns: `nil` if no value is finite, or if the probability or level is out of range.
  package init?(values: some Sequence<Double>, probability: Double, level: Double = 0.95) {
    let sample = Sample(values)
    guard let value = sample.quantile(probability),
      let needed = Self.runsNeeded(probability: probability, level: level)
    else { return nil }
    self.probability = probability
    count = sample.count
    self.value = value
    if let ranks = Self.ranks(count: sample.count, probability: probability, level: level) {
      interval = .interval(
        ConfidenceInterval(
          low: sample.sorted[ranks.lower - 1], high: sample.sorted[ranks.upper - 1], level: level))
    } else {
      interval = .notEnoughRuns(needed: needed)
    }
  }

  /// Returns the ranks, from 1, of the order statistics that bound a quantile; `nil` where they would lie outside the
  /// sample, or for a probability or level out of range.
  package static func ranks(count: Int, probability: Double, level: Double) -> (lower: Int, upper: Int)? {
    guard count > 0, probability > 0, probability < 1, ConfidenceLevel.isValid(level), GSLErrors.areReturned
    else { return nil }
    let tail = (1 - level) / 2
    // The number of values below the quantile is binomial. The lower rank is the largest with at most a tail below
    // it.
    let n = UInt32(clamping: count)
    var lower = firstRank(from: 0, through: count) { gsl_cdf_binomial_P(UInt32($0), probability, n) > tail }
    lower = min(lower, count)
    let upper =
      firstRank(from: 0, through: count) { gsl_cdf_binomial_Q(UInt32($0), probability, n) <= tail } + 1
    guard lower >= 1, upper <= count else { return nil }
    return (lower, upper)
  }

  /// Returns the coverage probability of the ranks chosen for a level; `nil` if there are none.
  package static func coverage(count: Int, probability: Double, level: Double) -> Double? {
    guard let ranks = ranks(count: count, probability: probability, level: level) else { return nil }
    let n = UInt32(clamping: count)
    return gsl_cdf_binomial_P(UInt32(ranks.upper - 1), probability, n)
      - gsl_cdf_binomial_P(UInt32(ranks.lower - 1), probability, n)
  }

  /// Returns the smallest number of runs for which the interval exists; `nil` for a probability or level out of
  /// range.
  package static func runsNeeded(probability: Double, level: Double) -> Int? {
    guard probability > 0, probability < 1, ConfidenceLevel.isValid(level) else { return nil }
    // The probability that all runs fall on one side of the quantile must not exceed a tail, for either side.
    let tail = (1 - level) / 2
    let rarest = max(probability, 1 - probability)
    var needed = 1
    var allOnOneSide = rarest
    while allOnOneSide > tail, needed < 1_000_000 {
      allOnOneSide *= rarest
      needed += 1
    }
    return needed
  }

  /// Returns the first number from which a monotonic condition holds; one past the last if it never does.
  private static func firstRank(from first: Int, through last: Int, where holds: (Int) -> Bool) -> Int {
    var low = first
    var high = last + 1
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
