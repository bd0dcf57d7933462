package import Parameters
import Quantity

/// Google Congestion Control parameters; every default is that of libwebrtc in 2026.
///
/// One section per component, whose parameters name the file that their defaults come from.
package struct GoogleCongestionControlParameters: RateControllerParameters {
  /// Start rate and bounds of the target.
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
  /// Pacing rate relative to the target, with transport feedback (`goog_cc_network_control.cc`).
  package var pacingFactor = 1.1
  /// Pacing rate relative to the target, before the first transport feedback (`goog_cc_network_control.cc`).
  package var pacingFactorWithoutFeedback = 2.5
  /// Lower bound of a probe result, relative to the acknowledged rate (`goog_cc_network_control.cc`).
  package var minimumProbeShare = 0.85

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = [
    .rate(
      "start", \.constraints.start, "first estimate", source: "libwebrtc: api/transport/bitrate_settings.h"),
    .rate("minimum", \.constraints.minimum, "lowest estimate", source: "libwebrtc: bwe_defines.h"),
    .limit(
      "maximum", \.constraints.maximum, "highest estimate", source: "libwebrtc: unlimited", example: "5 Mbps"),
    .number(
      "pacing-factor", \.pacingFactor, in: 1...5, "pacing rate relative to the estimate",
      source: "libwebrtc: goog_cc_network_control.cc; range ours"),
    .flag(
      "loss-based", \.loss.isEnabled, "whether reported loss bounds the estimate",
      source: "libwebrtc: loss_based_bwe_v2.cc"),
    .flag(
      "probing", \.probing.isEnabled, "whether to send bandwidth probes",
      source: "libwebrtc: probe_controller.cc"),
  ]
}
