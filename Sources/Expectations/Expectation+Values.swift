import Metrics
package import Plan
package import ResultReading

extension Expectation {
  /// Indicates whether it applies to a value of a run.
  package func isAbout(_ key: ScalarKey) -> Bool {
    // The meeting's values may name a viewer, such as the one in the worst seat.
    key.scope == scope.rawValue && key.metric == metric && key.stat == stat
      && (scope == .meeting || covers(viewer: key.viewer, source: key.source))
  }
}

extension Expectation {
  /// Checks whether a value satisfies the relation better than another; one that is missing (NaN) is the worst.
  func prefers(_ value: Double, to other: Double) -> Bool {
    guard !value.isNaN, !other.isNaN else { return !value.isNaN && other.isNaN }
    return switch relation {
    case .atLeast, .above: value > other
    case .atMost, .below: value < other
    case .equal: abs(value - bound) < abs(other - bound)
    }
  }
}
