/// A range that covers the true value in a fraction `level` of repeated experiments.
package struct ConfidenceInterval: Equatable, Sendable {
  /// Lower end, in the unit of the observations.
  package let low: Double
  /// Upper end, not below ``low``.
  package let high: Double
  /// Confidence level, above 0 and below 1.
  package let level: Double

  package init(low: Double, high: Double, level: Double) {
    self.low = low
    self.high = high
    self.level = level
  }

  package var halfWidth: Double { (high - low) / 2 }

  package func contains(_ value: Double) -> Bool { low <= value && value <= high }
}

/// Range of valid confidence levels.
enum ConfidenceLevel {
  static func isValid(_ level: Double) -> Bool { level > 0 && level < 1 }
}
