/// What a link carried whenever it was overused: a mean, and how far values lie from it (libwebrtc
/// `link_capacity_estimator.cc`).
package struct LinkCapacityEstimate: Sendable {
  private static let weight = 0.05
  private static let variances = 0.4...2.5

  /// [kbit/s]; `nil` before the first overuse and after a value out of bounds.
  private(set) var mean: Double?
  /// Variance relative to the mean [kbit/s].
  private var variance = 0.4

  package init() {}

  private var deviation: Double { (variance * (mean ?? 0)).squareRoot() }

  package var upperBound: Double { mean.map { $0 + 3 * deviation } ?? .infinity }
  package var lowerBound: Double { mean.map { max(0, $0 - 3 * deviation) } ?? 0 }

  package mutating func overuse(at acknowledged: Double) {
    let estimate = mean.map { (1 - Self.weight) * $0 + Self.weight * acknowledged } ?? acknowledged
    mean = estimate
    let error = estimate - acknowledged
    variance = (1 - Self.weight) * variance + Self.weight * error * error / max(estimate, 1)
    variance = min(max(variance, Self.variances.lowerBound), Self.variances.upperBound)
  }

  mutating func reset() { mean = nil }
}
