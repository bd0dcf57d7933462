private import CGSL

/// Summary statistics of a set of observations.
package struct Sample: Sendable {
  /// Observations in ascending order.
  package let sorted: [Double]

  /// Keeps the finite observations.
  package init(_ observations: some Sequence<Double>) {
    sorted = observations.filter(\.isFinite).sorted()
  }

  package var count: Int { sorted.count }

  /// Mean; `nil` for an empty sample.
  package var mean: Double? { sorted.isEmpty ? nil : gsl_stats_mean(sorted, 1, sorted.count) }

  /// Standard deviation with n - 1; `nil` below two observations.
  package var standardDeviation: Double? { sorted.count < 2 ? nil : gsl_stats_sd(sorted, 1, sorted.count) }

  /// Returns the quantile of a probability, interpolated linearly; `nil` for an empty sample or outside 0 ... 1.
  package func quantile(_ probability: Double) -> Double? {
    guard !sorted.isEmpty, (0...1).contains(probability) else { return nil }
    return gsl_stats_quantile_from_sorted_data(sorted, 1, sorted.count, probability)
  }
}
