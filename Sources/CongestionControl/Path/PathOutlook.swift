import Quantity

/// Output of a controller.
package struct PathOutlook: Hashable, Sendable {
  package var target: PathTarget
  /// Fraction by which the congestion window reduces encoder targets, 0 to 1.
  package var congestionReduction: Double
  /// Set while there are probe clusters to send.
  package var hasProbes: Bool
  /// State of a controller with a detector that allocators follow.
  package var congestion: PathCongestion

  package init(
    target: PathTarget = PathTarget(rate: .zero, pacing: .unlimited, padding: .zero),
    congestionReduction: Double = 0, hasProbes: Bool = false, congestion: PathCongestion = .none
  ) {
    self.target = target
    self.congestionReduction = congestionReduction
    self.hasProbes = hasProbes
    self.congestion = congestion
  }
}
