package import Parameters
import Quantity

/// Parameters of Google Congestion Control as of 2019; every default is that of libwebrtc in that year, as the
/// mediasoup worker 3.19.3 embeds it.
package struct GoogleCongestionControl2019Parameters: RateControllerParameters {
  /// Start rate and bounds of the target.
  package var constraints = RateConstraints()
  package var interArrival = InterArrivalParameters()
  package var trendline = TrendlineParameters()
  package var rateControl = AIMDParameters()
  package var lossReports = LossReportParameters()
  package var limitedRegion = ApplicationLimitedRegionParameters()
  package var probing = ProbeParameters()
  /// Pacing rate relative to the target (`goog_cc_network_control.cc`).
  package var pacingFactor = 2.5
  /// Bytes of a packet around its RTP packet, which the controller does not count: SRTP, UDP and IP.
  package var aroundRTP: Int32 = 38
  /// Number of feedback messages whose mean round trip paces increases and decreases (`goog_cc_network_control.cc`).
  package var roundTrips = 32

  package init() {
    rateControl.drainReserve = .zero
    rateControl.roundsDown = true
    limitedRegion.silence = .seconds(3)
    probing.allocationLimitByEstimate = nil
    probing.allocationNeedsLimitedRegion = false
    probing.losesRaisedMaximum = true
  }

  /// RTP headers of 34 bytes on packets of about 700.
  package var headerShare: Double { 0.05 }

  package static let parameters: [ParameterDeclaration<Self>] = [
    .rate(
      "start", \.constraints.start, "first estimate", source: "libwebrtc: api/transport/bitrate_settings.h"),
    .limit(
      "maximum", \.constraints.maximum, "highest estimate", source: "libwebrtc: unlimited", example: "5 Mbps"),
    .number(
      "pacing-factor", \.pacingFactor, in: 1...5, "pacing rate relative to the estimate",
      source: "libwebrtc of 2019: goog_cc_network_control.cc; range ours"),
    .duration(
      "silence", \.silence, in: .milliseconds(1) ... .seconds(86_400),
      "time without a packet after which nothing but the application limits the rate, so that probes go out",
      source: "mediasoup 3.19.3: alr_detector.cc, a change of its own"),
    .flag(
      "probing", \.probing.isEnabled, "whether to send bandwidth probes",
      source: "libwebrtc of 2019: probe_controller.cc"),
  ]

  private var silence: SimDuration {
    get { limitedRegion.silence ?? .zero }
    set { limitedRegion.silence = newValue }
  }
}
