package import Parameters
import Quantity

/// What can be set about Google Congestion Control; every default is that of libwebrtc in 2026.
///
/// A section each for the parts, whose own parameters name the file that the defaults are from.
package struct GoogleCongestionControlParameters: RateControllerParameters {
  /// Where the target begins, and between which rates it stays.
  package var constraints = RateConstraints()
  package var interArrival = InterArrivalParameters()
  package var trendline = TrendlineParameters()
  package var rateControl = AIMDParameters()
  package var throughput = ThroughputParameters()
  package var loss = LossBasedParameters()
  package var lossReports = LossReportParameters()
  package var roundTrip = RoundTripBackoffParameters()
  package var limitedRegion = ApplicationLimitedRegionParameters()
  package var probing = ProbeParameters()
  package var congestionWindow = CongestionWindowParameters()
  /// The pacer's rate over the target, with transport feedback and before its first message
  /// (`goog_cc_network_control.cc`).
  package var pacingFactor = 1.1
  package var pacingFactorWithoutFeedback = 2.5
  /// A probe's result counts as at least this share of what is acknowledged (`goog_cc_network_control.cc`).
  package var leastProbeShare = 0.85

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = [
    .rate(
      "start", \.constraints.start, "first estimate", source: "libwebrtc: api/transport/bitrate_settings.h"),
    .rate(
      "maximum", \.constraints.maximum, "highest estimate", source: "libwebrtc has none", example: "5 Mbps"),
    .number(
      "pacing-factor", \.pacingFactor, in: 1...5, "the pacer's rate over the estimate",
      source: "libwebrtc: goog_cc_network_control.cc; range ours"),
    .flag(
      "loss-based", \.loss.isEnabled, "whether reported losses bound the estimate",
      source: "libwebrtc: loss_based_bwe_v2.cc"),
    .flag("probing", \.probing.isEnabled, "whether it probes", source: "libwebrtc: probe_controller.cc"),
  ]
}
