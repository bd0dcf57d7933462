import Quantity

/// What a controller says of its path.
package struct PathOutlook: Hashable, Sendable {
  package var target: PathTarget
  /// By how much less than the target encoders are to make because too much is under way, 0 to 1.
  package var congestionReduction: Double

  package init(
    target: PathTarget = PathTarget(rate: .zero, pacing: .unlimited, padding: .zero),
    congestionReduction: Double = 0
  ) {
    self.target = target
    self.congestionReduction = congestionReduction
  }
}
