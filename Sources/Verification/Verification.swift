/// Published experiments that the model is validated against.
package enum Verification {
  /// Returns every case, in the order of execution.
  ///
  /// - Parameter calls: folder of recorded calls; their cases are skipped if it is `nil`.
  package static func cases(calls: String? = nil) -> [VerificationCase] {
    GoogleCongestionControlCases.all + ScenarioCases.all + DelayEstimateCases.all + DelayStreamCases.all
      + ReceiverCases.all
      + CandidateCases.all + PublishedCapacityCases.all + PublishedLayerCases.all
      + PublishedPacketCases.all
      + CallStartCases.all + CallCases.all(in: calls)
  }
}
