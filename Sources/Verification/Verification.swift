/// Every published experiment that the model is validated against.
package enum Verification {
  /// Every case, in the order in which they run.
  ///
  /// - Parameter calls: folder of recorded calls; their cases are skipped if it has none, or `nil`.
  package static func cases(calls: String? = nil) -> [VerificationCase] {
    GoogleCongestionControlCases.all + ScenarioCases.all + DelayEstimateCases.all + DelayStreamCases.all
      + ReceiverCases.all
      + CandidateCases.all
      + CallCases.all(in: calls)
  }
}
