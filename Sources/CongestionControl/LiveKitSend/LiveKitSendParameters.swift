package import Parameters
package import Quantity

/// Parameters of weighted loss; every default is LiveKit's (`sendsidebwe/traffic_stats.go`).
package struct LiveKitLossParameters: BitwiseCopyable, Hashable, Sendable {
  /// Minimum span of traffic for a loss measurement.
  package var minimumDuration = SimDuration.milliseconds(100)
  /// Minimum packets per second for a loss measurement, up to ``fullRateDuration``; less and less is required beyond.
  package var minimumPacketRate = 30.0
  /// Duration up to which the full minimum packet rate is required.
  package var fullRateDuration = SimDuration.milliseconds(500)
  /// Weight of the loss in the ratio of traffic carried.
  package var penalty = 0.25

  package init() {}
}

/// Number and duration of groups that a change of state requires.
package struct LiveKitSignal: Hashable, Sendable {
  package struct Extent: Hashable, Sendable {
    package var groups: Int
    package var duration: SimDuration

    package init(_ groups: Int, _ duration: SimDuration) {
      self.groups = groups
      self.duration = duration
    }

    func isReached(_ groups: Int, _ duration: SimDuration) -> Bool {
      groups >= self.groups && duration >= self.duration
    }
  }

  package var badDelay: Extent
  package var goodDelay: Extent
  package var badLoss: Extent
  package var goodLoss: Extent
}

/// Parameters of LiveKit's send-side estimator; every default is that of its version 1.13.5
/// (`pkg/sfu/bwe/sendsidebwe`).
package struct LiveKitSendParameters: RateControllerParameters {
  /// Capacity before any measurement.
  package var start = BitRate.megabits(100)
  /// Bytes around an RTP packet, which do not count: IPv4, UDP and SRTP.
  package var header = ByteCount(38)
  package var group = PacketGroup.Bounds(packets: 30, duration: .milliseconds(500))
  /// Age at which groups are discarded.
  package var groupAge = SimDuration.seconds(10)
  /// Number of sent packets that are stored.
  package var history = 2048
  /// Queuing delay below which groups are good.
  package var goodDelay = SimDuration.milliseconds(20)
  /// Queuing delay above which groups are bad.
  package var badDelay = SimDuration.milliseconds(50)
  /// Rank correlation above which a queue grows.
  package var delayTrend = 0.8
  /// Weighted loss below which regions are good.
  package var goodLoss = 0.1
  /// Weighted loss above which regions are bad.
  package var badLoss = 0.25
  package var loss = LiveKitLossParameters()
  package var earlyWarning = LiveKitSignal(
    badDelay: .init(2, .milliseconds(200)), goodDelay: .init(3, .milliseconds(300)),
    badLoss: .init(3, .milliseconds(300)), goodLoss: .init(4, .milliseconds(400)))
  package var congested = LiveKitSignal(
    badDelay: .init(4, .milliseconds(400)), goodDelay: .init(5, .milliseconds(500)),
    badLoss: .init(6, .milliseconds(600)), goodLoss: .init(6, .milliseconds(600)))
  /// Span over which the capacity is measured without congestion.
  package var window = SimDuration.seconds(1)
  /// Size of the groups whose ratio of carried traffic is observed during congestion.
  package var ratioGroup = PacketGroup.Bounds(packets: 20, duration: .milliseconds(150))
  /// Step to which the ratio of carried traffic is rounded.
  package var ratioStep = 0.05
  package var ratioTrend = TrendParameters(
    samples: 4, minimumSamples: 2, threshold: -0.5, wait: .seconds(2), collapse: .milliseconds(500),
    validity: .seconds(10))
  package var probeGroup = PacketGroup.Bounds(packets: 16_384, duration: .seconds(60))
  package var regulator = ProbeRegulatorParameters()
  /// Round trip before the first measurement.
  package var roundTrip = SimDuration.milliseconds(70)
  /// Weight of a new round trip.
  package var roundTripWeight = 0.5
  /// Interval between measurements of the round trip.
  package var roundTripInterval = SimDuration.seconds(30)
  /// Time to wait for a probe's last feedback, in round trips.
  package var settlingRoundTrips: Int64 = 5
  /// Lower bound of the wait for a probe's last feedback.
  package var shortestSettling = SimDuration.milliseconds(250)
  /// Upper bound of the wait for a probe's last feedback.
  package var longestSettling = SimDuration.seconds(5)

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = [
    .rate(
      "start", \.start, "first estimate", source: "LiveKit: pkg/sfu/bwe/sendsidebwe/congestion_detector.go"),
    .duration(
      "good-delay", \.goodDelay, in: .zero ... .seconds(1),
      "queuing delay below which a path is not congested",
      source: "LiveKit: pkg/sfu/bwe/sendsidebwe/congestion_detector.go; range ours"),
    .duration(
      "bad-delay", \.badDelay, in: .zero ... .seconds(1),
      "queuing delay above which, while it grows, a path is congested",
      source: "LiveKit: pkg/sfu/bwe/sendsidebwe/congestion_detector.go; range ours"),
  ]
}
