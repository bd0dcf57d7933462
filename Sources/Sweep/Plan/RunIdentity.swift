import Metrics
package import Scenario

/// What makes two runs the same run.
package enum RunIdentity {
  /// The id of a run: equal for equal version, scenario, traces, seed and repetition, whatever machine computes it.
  package static func id(
    of scenario: LoadedScenario, version: String, seed: UInt64, repetition: Int
  ) -> String {
    var identity = "\(version)\n\(seed)\n\(repetition)\n\(scenario.resolvedText)"
    for trace in scenario.traces {
      identity += "\n\(trace.path) \(ContentHash(of: trace.bytes).hexadecimal)"
    }
    return "r" + ContentHash(of: identity.utf8).hexadecimal
  }
}
