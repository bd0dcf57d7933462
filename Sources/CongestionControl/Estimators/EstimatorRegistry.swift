package import Parameters
package import Quantity

/// Estimator that scenarios can name.
package struct Estimator: RegistryEntry {
  package let name: String
  package let summary: String
  package let source: String
  package let parameters: [ParameterDescription]
  /// Set if it is for downlinks only; uplinks then use the standard estimator.
  package let isForDownlinks: Bool
  private let configure: @Sendable ([ParameterSetting]) -> EstimatorConfiguration
  private let complete: @Sendable ([ParameterSetting]) -> [ParameterSetting]

  package init<Controller: RateController & ~Copyable>(
    _ name: String, _ controller: Controller.Type, summary: String, source: String,
    isForDownlinks: Bool = false
  ) {
    self.isForDownlinks = isForDownlinks
    self.name = name
    self.summary = summary
    self.source = source
    parameters = Controller.Parameters.descriptions
    configure = { EstimatorConfiguration(name, Controller.self, Controller.Parameters($0)) }
    complete = { Controller.Parameters($0).settings }
  }

  /// Returns the estimator with parameter overrides.
  package func configuration(_ settings: [ParameterSetting] = []) -> EstimatorConfiguration {
    configure(settings)
  }

  /// Returns the bit rate of a parameter under these overrides; `nil` if it has none, or no limit.
  package func rate(of key: String, with settings: [ParameterSetting]) -> BitRate? {
    guard case .rate(let rate) = complete(settings).first(where: { $0.key == key })?.value else { return nil }
    return rate
  }
}

extension Registry<Estimator> {
  /// Built-in estimators.
  package static let estimators = Registry([
    Estimator(
      "gcc", GoogleCongestionControl.self,
      summary:
        "send-side Google Congestion Control: delay trend, loss, probing and pacing, driven by transport feedback",
      source: "libwebrtc goog_cc as of 2026, which takes precedence over draft-ietf-rmcat-gcc-02"),
    Estimator(
      "gcc-2019", GoogleCongestionControl2019.self,
      summary:
        "send-side Google Congestion Control of 2019, as servers run that took it over then: losses by a rule of 2 and "
        + "10 %, probes in any state (for downlinks; uplinks: gcc)",
      source: "libwebrtc goog_cc of 2019 as in the mediasoup worker 3.19.3", isForDownlinks: true),
    Estimator(
      "livekit-send", LiveKitSendController.self,
      summary:
        "LiveKit's own detector of queuing delay and loss on transport feedback; its server's allocator does the probing",
      source: "LiveKit server 1.13.5, pkg/sfu/bwe/sendsidebwe", isForDownlinks: true),
    Estimator(
      "nada", NADAController.self,
      summary: "Network-Assisted Dynamic Adaptation: loss-warped delay, driven by transport feedback",
      source: "RFC 8698"),
    Estimator(
      "remb", REMBController.self,
      summary:
        "the receiver's estimate, from the arrivals of video, which travels back as REMB; for downlinks (uplinks: gcc)",
      source: "libwebrtc remote_bitrate_estimator with absolute send time; draft-alvestrand-rmcat-remb-03",
      isForDownlinks: true),
    Estimator(
      "oracle", OracleEstimator.self,
      summary:
        "knows the path's capacity: follows decreases at once, increases as a mean over the last second",
      source:
        "our model: what a controller could know; a server that goes beyond its budget may do worse with it"),
  ])
}
