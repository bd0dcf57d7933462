package import CongestionControl
package import Parameters
package import Quantity
import Systems

/// Congestion detection parameters.
package struct LiveKitDetectionParameters: Parameterized, LiveKitObserver {
  package var lossAttenuation = 0.4
  package var usageThreshold = 0.95
  package var trend = TrendParameters(
    samples: 12, minimumSamples: 8, threshold: -0.6, wait: .seconds(5), collapse: .milliseconds(500),
    validity: .seconds(10))
  package var nacks = RepeatedNACKWindow.Parameters(
    least: .seconds(2), longest: .seconds(3), threshold: 0.08)

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] =
    [
      .number(
        "loss-attenuation", \.lossAttenuation, in: 0...1,
        "server: on losses the capacity is the usage less this times the ratio of packets requested repeatedly",
        source: "LiveKit 1.13.5, remotebwe/remote_bwe.go"),
      .number(
        "usage-threshold", \.usageThreshold, in: 0...1,
        "server: a capacity is committed only at this share of the usage or below",
        source: "LiveKit 1.13.5, remotebwe/remote_bwe.go"),
    ] + observation("", of: "estimates")
}

/// Probing parameters.
package struct LiveKitProbeParameters: Parameterized, LiveKitObserver {
  package var regulator = ProbeRegulatorParameters()
  package var overage = 1.2
  package var least = BitRate.kilobits(200)
  package var bursts = ServerProbe.Bursts()
  package var settleRoundTrips = 5
  package var shortestSettling = SimDuration.milliseconds(250)
  package var longestSettling = SimDuration.seconds(5)
  package var roundTrip = SimDuration.milliseconds(70)
  package var roundTripWeight = 0.5
  package var trend = TrendParameters(
    samples: 3, minimumSamples: 3, threshold: 0, wait: .seconds(5), collapse: .zero, validity: .seconds(10))
  package var nacks = RepeatedNACKWindow.Parameters(
    least: .milliseconds(500), longest: .seconds(1), threshold: 0.04)

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] =
    clusters + observation("probe-", of: "estimates in a probe")

  private static let clusters: [ParameterDeclaration<Self>] = [
    .duration(
      "probe-interval", \.regulator.interval, "server: time between two probes",
      source: "LiveKit 1.13.5, probe_regulator.go"),
    .number(
      "probe-backoff", \.regulator.intervalGrowth, in: 1...10,
      "server: grows by this factor, in whole seconds, with each probe that congests",
      source: "LiveKit 1.13.5, probe_regulator.go"),
    .duration(
      "probe-longest-interval", \.regulator.longestInterval, "server: longest time between two probes",
      source: "LiveKit 1.13.5, probe_regulator.go"),
    .duration(
      "probe-duration", \.regulator.duration, in: .milliseconds(20) ... .seconds(60),
      "server: duration of the first probe",
      source: "LiveKit 1.13.5, probe_regulator.go"),
    .number(
      "probe-growth", \.regulator.durationGrowth, in: 1...10,
      "server: grows by this factor with each probe that does not congest",
      source: "LiveKit 1.13.5, probe_regulator.go"),
    .duration(
      "probe-longest-duration", \.regulator.longestDuration, in: .milliseconds(20) ... .seconds(600),
      "server: longest duration of a probe",
      source: "LiveKit 1.13.5, probe_regulator.go"),
    .number(
      "probe-overage", \.overage, in: 1...10, "server: probes for the next layer with this factor to spare",
      source: "LiveKit 1.13.5, streamallocator.go"),
    .rate(
      "probe-least", \.least, "server: probes for at least this much more than is used",
      source: "LiveKit 1.13.5, streamallocator.go"),
    .duration(
      "probe-burst-interval", \.bursts.interval, in: .milliseconds(1) ... .seconds(1),
      "server: bursts of a probe are at least this long apart", source: "LiveKit 1.13.5, prober.go"),
    .duration(
      "probe-bucket", \.bursts.bucket, in: .milliseconds(1) ... .seconds(1),
      "server: parts of a probe of about this length have equal shares of its bytes",
      source: "LiveKit 1.13.5, prober.go"),
    .size(
      "probe-burst", \.bursts.size, in: ByteCount(1)...ByteCount(100_000), "server: least size of a burst",
      source: "LiveKit 1.13.5, prober.go"),
    .integer(
      "probe-settle-round-trips", \.settleRoundTrips, in: 0...100,
      "server: waits for this many round trips for the estimates that a probe leads to",
      source: "LiveKit 1.13.5, remotebwe/probe_controller.go"),
    .duration(
      "probe-shortest-settling", \.shortestSettling, "server: waits for at least this time",
      source: "LiveKit 1.13.5, remotebwe/probe_controller.go"),
    .duration(
      "probe-longest-settling", \.longestSettling, "server: waits for at most this time",
      source: "LiveKit 1.13.5, remotebwe/probe_controller.go"),
    .duration(
      "probe-round-trip", \.roundTrip, "server: the round trip meant there before the path's is read",
      source: "LiveKit 1.13.5, bwe/bwe.go"),
    .number(
      "probe-round-trip-weight", \.roundTripWeight, in: 0...1,
      "server: weight of each reading of the path's round trip in the mean that is used",
      source: "LiveKit 1.13.5, bwe/bwe.go"),
  ]
}

/// Intervals of the server's periodic work.
package struct LiveKitLookParameters: Parameterized {
  package var deficient = SimDuration.milliseconds(100)
  package var stable = SimDuration.seconds(15)
  package var roundTripInterval = SimDuration.seconds(30)
  package var pausedWait = SimDuration.seconds(5)

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = [
    .duration(
      "look-interval", \.deficient, in: .milliseconds(1) ... .seconds(60),
      "server: looks after probes this often while a track is deficient",
      source: "LiveKit 1.13.5, streamallocator.go"),
    .duration(
      "stable-look-interval", \.stable, in: .milliseconds(1) ... .seconds(600),
      "server: looks for a new round trip this often while none is",
      source: "LiveKit 1.13.5, streamallocator.go"),
    .duration(
      "round-trip-interval", \.roundTripInterval,
      "server: reads the path's round trip when the last reading is older than this",
      source: "LiveKit 1.13.5, streamallocator.go"),
    .duration(
      "paused-wait", \.pausedWait,
      "server: forgets a congestion when nothing was sent for this long, where pauses are allowed",
      source: "LiveKit 1.13.5, streamallocator.go"),
  ]
}

/// Parameters of the server's allocator.
package struct LiveKitServerParameters: Parameterized {
  package var allowsPause = false
  package var encodingCost = 10
  package var detection = LiveKitDetectionParameters()
  package var probing = LiveKitProbeParameters()
  package var looks = LiveKitLookParameters()

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] =
    [
      .flag(
        "allow-pause", \.allowsPause,
        "server: whether a track whose lowest layer does not fit is paused; else that is sent whatever the capacity",
        source: "config.go; with the v1 join message the client's setting counts, and absent means false"),
      .integer(
        "encoding-cost", \.encodingCost, in: 0...1000,
        "server: what a change of encoding costs, beside 1 for a temporal layer, where tracks are sought that give most "
          + "for what they lose",
        source: "LiveKit 1.13.5, forwarder.go"),
    ]
    + LiveKitDetectionParameters.parameters.map { .part(\.detection, $0) }
    + LiveKitProbeParameters.parameters.map { .part(\.probing, $0) }
    + LiveKitLookParameters.parameters.map { .part(\.looks, $0) }
}
