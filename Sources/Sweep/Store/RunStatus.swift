/// How a run ended.
package enum RunStatus: String, CaseIterable, Sendable {
  case ok
  /// It trapped, was killed, or could not be started.
  case failed
  /// It exceeded the sweep's timeout.
  case timeout
  /// The scenario of its point is invalid, so it was not started.
  case invalid
  /// It has not been run, or its file is damaged.
  case missing
}
