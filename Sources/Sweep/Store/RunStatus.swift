/// Status of a run.
package enum RunStatus: String, CaseIterable, Sendable {
  case ok
  /// It trapped, was killed, or could not be started.
  case failed
  /// It exceeded the sweep's timeout.
  case timeout
  /// Not started, because the scenario of its point is invalid.
  case invalid
  /// Not yet run, or its file is damaged.
  case missing
}
