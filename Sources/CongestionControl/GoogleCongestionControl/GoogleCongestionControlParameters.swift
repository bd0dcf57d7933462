package import Quantity

/// What can be set about Google Congestion Control; every default is that of libwebrtc in 2026.
///
/// A section each for the parts, whose own parameters name the file that the defaults are from.
package struct GoogleCongestionControlParameters: Hashable, Sendable {
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

  /// How often ``GoogleCongestionControl/process(at:)`` is to be called (`goog_cc_factory.cc`).
  package static let processInterval = SimDuration.milliseconds(25)
}
