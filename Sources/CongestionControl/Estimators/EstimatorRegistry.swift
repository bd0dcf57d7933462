package import Parameters

/// An estimator that scenarios can name.
package struct Estimator: RegistryEntry {
  package let name: String
  package let summary: String
  package let source: String
  package let parameters: [ParameterDescription]
  private let configure: @Sendable ([ParameterSetting]) -> EstimatorConfiguration

  package init<Controller: RateController & ~Copyable>(
    _ name: String, _ controller: Controller.Type, summary: String, source: String
  ) {
    self.name = name
    self.summary = summary
    self.source = source
    parameters = Controller.Parameters.descriptions
    configure = { EstimatorConfiguration(name, Controller.self, Controller.Parameters($0)) }
  }

  /// The estimator with some of its parameters set.
  package func configuration(_ settings: [ParameterSetting] = []) -> EstimatorConfiguration {
    configure(settings)
  }
}

extension Registry<Estimator> {
  /// Every estimator of ours.
  package static let estimators = Registry([
    Estimator(
      "gcc", GoogleCongestionControl.self,
      summary:
        "Google Congestion Control at the sender: delay trend, loss, probing, pacing, from real feedback",
      source: "libwebrtc's goog_cc of 2026; where it differs from draft-ietf-rmcat-gcc-02, the code"),
    Estimator(
      "nada", NADAController.self,
      summary: "Network-Assisted Dynamic Adaptation: delay, warped by loss, from real feedback",
      source: "RFC 8698"),
    Estimator(
      "oracle", OracleEstimator.self,
      summary: "knows the path's capacity: falls count at once, rises as the mean over the last second",
      source: "our model: an upper bound for congestion controllers"),
  ])
}
