import Quantity

/// The output of a controller.
package struct PathOutlook: Hashable, Sendable {
  package var target: PathTarget
  /// Fraction by which the congestion window reduces encoder targets, 0 to 1.
  package var congestionReduction: Double

  package init(
    target: PathTarget = PathTarget(rate: .zero, pacing: .unlimited, padding: .zero),
    congestionReduction: Double = 0
  ) {
    self.target = target
    self.congestionReduction = congestionReduction
  }
}
