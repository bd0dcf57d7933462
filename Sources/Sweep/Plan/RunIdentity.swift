import Metrics
package import Scenario

/// Ids of runs.
package enum RunIdentity {
  /// Computes the id of a run from version, scenario, traces, seed and repetition.
  ///
  /// - Parameter copy: number of earlier, identical points of the sweep; each is run separately.
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
