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
