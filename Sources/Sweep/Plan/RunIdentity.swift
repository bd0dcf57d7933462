import Metrics
package import Scenario

/// What makes two runs the same run.
package enum RunIdentity {
  /// The id of a run: equal for equal version, scenario, traces, seed and repetition, whatever machine computes it.
  ///
  /// - Parameter copy: points of the sweep before this one that are equal to it: each is run for itself.
  package static func id(
    of scenario: LoadedScenario, version: String, seed: UInt64, repetition: Int, copy: Int = 0
  ) -> String {
    var identity = "\(version)\n\(seed)\n\(repetition)\n\(scenario.resolvedText)"
    for trace in scenario.traces {
      identity += "\n\(trace.path) \(ContentHash(of: trace.bytes).hexadecimal)"
    }
    if copy > 0 { identity += "\ncopy \(copy)" }
    return "r" + ContentHash(of: identity.utf8).hexadecimal
  }
}
