package import Statistics

/// Values that a metric, or a column of a table, can have.
package enum MetricRange {
  /// Least and greatest possible value by name; infinite without a limit.
  package static func of(_ metric: String) -> ClosedRange<Double> {
    if metric == "mos" { return 1...5 }
    if signed.contains(metric) || metric.hasPrefix("gap_") { return -.infinity ... .infinity }
    return 0...(fractions.contains(metric) || metric.hasSuffix("_frac") ? 1 : .infinity)
  }

  /// Metrics from 0 to 1 whose names do not say so.
  private static let fractions: Set = [
    "requested_height_share", "pixels_of_screen", "pixels_of_request", "jain_index",
  ]

  /// Columns that may be negative: packets counted as lost may arrive late.
  private static let signed: Set = ["packets_lost"]
}

extension ConfidenceInterval {
  /// Returns the part within the values that are possible.
  package func clipped(to range: ClosedRange<Double>) -> ConfidenceInterval {
    ConfidenceInterval(
      low: min(max(low, range.lowerBound), range.upperBound),
      high: min(max(high, range.lowerBound), range.upperBound), level: level)
  }
}
