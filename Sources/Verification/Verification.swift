/// Every published experiment that the model is held against.
package enum Verification {
  package static let cases: [VerificationCase] =
    GoogleCongestionControlCases.all + DelayEstimateCases.all + CandidateCases.all
}
