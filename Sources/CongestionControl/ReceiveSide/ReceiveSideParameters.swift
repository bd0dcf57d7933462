package import Parameters
package import Quantity

/// Parameters of the receive-side estimator; every default is libwebrtc's.
///
/// One section per component, whose parameters name the file that their defaults come from.
package struct ReceiveSideParameters: Parameterized {
  package var grouping = InterArrivalParameters()
  package var filter = DelayOffsetParameters()
  package var overuse = OveruseParameters()
  package var probes = SendTimeProbeParameters()
  /// Rate control; unlike the send side's, it starts without an estimate.
  package var rateControl: AIMDParameters
  /// Lowest estimate (`bwe_defines.h`).
  package var minimum = BitRate.kilobits(5)
  /// Window of the incoming rate (`bwe_defines.h`).
  package var rateWindow = SimDuration.seconds(1)
  /// Silence after which a stream no longer counts (`remote_bitrate_estimator.h`).
  package var streamTimeout = SimDuration.seconds(2)
  /// Size of a feedback message (`aimd_rate_control.cc`).
  package var feedbackSize = ByteCount(80)
  /// Share of the estimate that feedback may take (`aimd_rate_control.cc`).
  package var feedbackShare = 0.05
  /// Lower bound of the interval between feedback messages.
  package var shortestFeedbackInterval = SimDuration.milliseconds(200)
  /// Upper bound of the interval between feedback messages.
  package var longestFeedbackInterval = SimDuration.seconds(1)
  /// Minimum interval between REMB messages whose rate does not fall by more than ``throttledFall`` percent
  /// (`remb_throttler.cc`).
  package var throttleInterval = SimDuration.milliseconds(200)
  /// Notable fall: below 100/(100 + this) of the last rate, a message is sent at once.
  package var throttledFall = 3

  package init() {
    rateControl = AIMDParameters()
    rateControl.roundsDown = true
  }

  private static let file = "libwebrtc: remote_bitrate_estimator_abs_send_time.cc"
  private static let rateControlFile = "libwebrtc: aimd_rate_control.cc"

  package static let parameters: [ParameterDeclaration<Self>] = [
    .rate("minimum", \.minimum, "lowest estimate", source: "libwebrtc: bwe_defines.h"),
    .duration(
      "rate-window", \.rateWindow, in: .milliseconds(100) ... .seconds(10), "window of the incoming rate",
      source: "libwebrtc: bwe_defines.h; range ours"),
    .duration(
      "stream-timeout", \.streamTimeout, in: .milliseconds(100) ... .seconds(60),
      "silence after which a stream no longer counts",
      source: "libwebrtc: remote_bitrate_estimator.h; range ours"),
    .duration(
      "group-length", \.grouping.groupLength, in: .milliseconds(1) ... .milliseconds(100),
      "span of the send times of a packet group", source: "\(file); range ours"),
    .duration(
      "burst-spacing", \.grouping.burstSpacing, in: .zero ... .milliseconds(100),
      "maximum arrival gap within a burst", source: "libwebrtc: inter_arrival.cc; range ours"),
    .number(
      "offset-noise", \.filter.offsetNoise, in: 1e-6...1, "process noise of the delay offset",
      source: "libwebrtc: overuse_estimator.h; range ours"),
    .number(
      "initial-threshold", \.overuse.initialThreshold, in: 6...600, "first threshold of the delay offset",
      source: "libwebrtc: overuse_detector.cc"),
    .number(
      "threshold-rise", \.overuse.thresholdRise, in: 0...1,
      "adaptation of the threshold to an offset above it, per ms",
      source: "libwebrtc: overuse_detector.cc; range ours"),
    .number(
      "threshold-fall", \.overuse.thresholdFall, in: 0...1,
      "adaptation of the threshold to an offset below it, per ms",
      source: "libwebrtc: overuse_detector.cc; range ours"),
    .duration(
      "overuse-time", \.overuse.overuseTime, in: .zero ... .seconds(1),
      "minimum time above the threshold for overuse", source: "libwebrtc: overuse_detector.cc; range ours"),
    .duration(
      "probe-window", \.probes.window, in: .zero ... .seconds(60),
      "time from the first packet in which evenly sent packets may raise the estimate",
      source: "\(file); range ours"),
    .size(
      "probe-packet-size", \.probes.ignoredSize, in: .zero...ByteCount(1500),
      "largest payload that is not part of a probe", source: "\(file); range ours"),
    .number(
      "decrease-factor", \.rateControl.decreaseFactor, in: 0.1...1,
      "estimate after overuse, relative to the incoming rate", source: "\(rateControlFile); range ours"),
    .rate(
      "drain-reserve", \.rateControl.drainReserve, "rate taken off the estimate after overuse",
      source: rateControlFile),
    .number(
      "increase-factor", \.rateControl.increaseFactor, in: 1...2,
      "growth per second while the capacity is unknown", source: "\(rateControlFile); range ours"),
    .number(
      "ceiling-factor", \.rateControl.acknowledgedFactor, in: 1...10,
      "bound of the growth relative to the incoming rate", source: "\(rateControlFile); range ours"),
    .rate(
      "ceiling-allowance", \.rateControl.increaseAllowance, "rate added to the bound of the growth",
      source: rateControlFile),
    .duration(
      "round-trip", \.rateControl.defaultRoundTrip, in: .zero ... .seconds(10),
      "round trip, as long as none is measured", source: "\(rateControlFile); range ours"),
    .duration(
      "feedback-interval", \.shortestFeedbackInterval, in: .milliseconds(10) ... .seconds(10),
      "shortest interval between updates without overuse", source: "\(rateControlFile); range ours"),
    .duration(
      "longest-feedback-interval", \.longestFeedbackInterval, in: .milliseconds(10) ... .seconds(60),
      "longest interval between updates", source: "\(rateControlFile); range ours"),
    .duration(
      "throttle-interval", \.throttleInterval, in: .zero ... .seconds(10),
      "shortest interval between REMB messages without a notable fall",
      source: "libwebrtc: remb_throttler.cc; range ours"),
  ]
}
