/// How a run ended.
package enum RunStatus: String, CaseIterable, Sendable {
  case ok
  /// It trapped, was killed, or could not be begun.
  case failed
  /// It took longer than the sweep allows.
  case timeout
  /// The scenario of its point is not valid: it was not begun.
  case invalid
  /// It has not been run, or its file is damaged.
  case missing
}
