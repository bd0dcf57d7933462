/// Status of a run.
package enum RunStatus: String, CaseIterable, Sendable {
  case ok, failed, timeout, invalid, missing

  /// Explanation of the status, as a phrase.
  package var meaning: String {
    switch self {
    case .ok: "it has a result"
    case .failed: "it trapped, was killed, or could not be started"
    case .timeout: "it exceeded the sweep's timeout"
    case .invalid: "not started, because the scenario of its point is invalid"
    case .missing: "not yet run, or its file is damaged"
    }
  }
}
