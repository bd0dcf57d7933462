package import Parameters
package import Quantity
import Systems

/// Parameters of Signal's SFU, then those of RingRTC.
package struct SignalParameters: Parameterized {
  package var leastShare = Fraction(0.9) ?? .zero
  package var initialEstimate = BitRate.kilobits(800)
  package var minimumEstimate = BitRate.kilobits(100)
  package var maximumEstimate = BitRate.megabits(30)
  package var maximumRate = BitRate.megabits(5)
  package var spacing = SimDuration.seconds(1)
  package var fallShare = Fraction(0.9) ?? .zero
  package var generation = SimDuration.milliseconds(2500)
  package var keyFrameRetry = SimDuration.milliseconds(200)
  package var tallKeyFrameRetry = SimDuration.milliseconds(500)
  package var tallHeight = 720
  package var queueDrainTime = SimDuration.milliseconds(500)
  package var rateWindow = SimDuration.seconds(1)
  package var announcedTime = SimDuration.milliseconds(500)
  package var inactiveTime = SimDuration.milliseconds(500)
  package var receiveRate = BitRate.megabits(20)
  package var reactionDelay = SimDuration.milliseconds(20)

  package init() {}

  private static let server = "Signal-Calling-Service, July 2026, call.rs"

  package static let parameters: [ParameterDeclaration<Self>] = [
    .share(
      "least-share", \.leastShare,
      "server: allocates this share of the estimate even where the outgoing queue needs more than the rest",
      source: "\(server), TARGET_RATE_MINIMUM_ALLOCATION_RATIO"),
    .rate(
      "initial-estimate", \.initialEstimate,
      "server: what it takes a downlink to carry at first, where the scenario names no start of the estimator",
      source: "Signal-Calling-Service, July 2026, config.rs, initial_target_send_rate_kbps"),
    .rate(
      "minimum-estimate", \.minimumEstimate,
      "server: lowest estimate of a downlink, where the scenario names no minimum of the estimator",
      source: "Signal-Calling-Service, July 2026, config.rs, min_target_send_rate_kbps"),
    .rate(
      "maximum-estimate", \.maximumEstimate,
      "server: highest estimate of a downlink, where the scenario names no maximum of the estimator",
      source: "Signal-Calling-Service, July 2026, config.rs, max_target_send_rate_kbps"),
    .rate(
      "default-max-rate", \.maximumRate, "server: most video for a viewer who states no maximum",
      source: "Signal-Calling-Service, July 2026, config.rs, default_requested_max_send_rate_kbps"),
    .duration(
      "allocation-spacing", \.spacing, in: .milliseconds(1) ... .seconds(86_400),
      "server: allocates anew when more than this has passed",
      source: "\(server), SEND_RATE_REALLOCATION_INTERVAL"),
    .share(
      "allocation-fall", \.fallShare,
      "server: at once if the estimate is below this share of what is allocated",
      source: "\(server), SEND_RATE_REALLOCATE_IMMEDIATELY_THRESHOLD"),
    .duration(
      "generation", \.generation, in: .milliseconds(1) ... .seconds(600),
      "server: a switch has to fit the least estimate of the present generation of this length and of the one before",
      source: "\(server), MIN_TARGET_SEND_RATE_GENERATION_INTERVAL"),
    .duration(
      "key-frame-retry", \.keyFrameRetry, in: .milliseconds(1) ... .seconds(60),
      "server: requests a key frame again that has not come",
      source: "\(server), KEY_FRAME_REQUEST_RESEND_INTERVAL"),
    .duration(
      "tall-key-frame-retry", \.tallKeyFrameRetry, in: .milliseconds(1) ... .seconds(60),
      "server: the same for an encoding of more lines than 'tall-height', where that is longer",
      source: "\(server), HIGH_RES_KEY_FRAME_REQUEST_RESEND_INTERVAL"),
    .integer(
      "tall-height", \.tallHeight, in: 0...16_384,
      "server: lines [px] above which 'tall-key-frame-retry' counts", source: server),
    .duration(
      "queue-drain-time", \.queueDrainTime, in: .milliseconds(1) ... .seconds(60),
      "server: leaves as much of the estimate unallocated as would empty the outgoing queue in this time",
      source: "Signal-Calling-Service, July 2026, config.rs, outgoing_queue_drain_ms"),
    .duration(
      "rate-window", \.rateWindow, in: .milliseconds(100) ... .seconds(60),
      "server: measures the rates of encodings over this sliding window",
      source: "our model: data_rate.rs smooths rates over 0.5 to 5 s"),
    .duration(
      "announced-time", \.announcedTime, in: .zero ... .seconds(60),
      "server: counts an encoding that has just started at the rate that its publisher announces",
      source: "Signal-Calling-Service, July 2026, data_rate.rs, MIN_DURATION"),
    .duration(
      "inactive-time", \.inactiveTime, in: .milliseconds(100) ... .seconds(60),
      "server: an encoding without a packet for this long does not arrive",
      source: "our model: publishers announce their encodings"),
    .rate(
      "receive-rate", \.receiveRate, "client: the most video that it asks for",
      source: "RingRTC, group_call.rs, NORMAL_MAX_RECEIVE_RATE"),
    .duration(
      "reaction-delay", \.reactionDelay, "client: delay from a change to its request at the server",
      source: "our model: nothing is published"),
  ]

  var forwarding: ForwardingRules {
    var rules = ForwardingRules()
    rules.keyFrames.spacings = [keyFrameRetry]
    rules.keyFrames.tall = .init(above: tallHeight, spacing: tallKeyFrameRetry)
    rules.keyFrames.early = .dropped
    rules.keyFrames.retry = keyFrameRetry
    rules.whileWaiting = .everything
    // The ideal rate limits the growth of congestion control.
    rules.padding = .estimate
    rules.layerWindow = .init(length: rateWindow, silence: inactiveTime)
    rules.layerWindow?.announcedTime = announcedTime
    return rules
  }
}
