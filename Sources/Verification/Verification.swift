/// Every published experiment that the model is held against.
package enum Verification {
  ///
  /// - Parameter calls: folder of recorded calls; their cases are skipped where it has none.
  package static func cases(calls: String = "../shared/calls") -> [VerificationCase] {
    GoogleCongestionControlCases.all + ScenarioCases.all + DelayEstimateCases.all + CandidateCases.all
      + CallCases.all(in: calls)
  }
}
