package import Quantity

/// Delay-based estimator: inter-arrival grouping, trendline and AIMD (libwebrtc's `delay_based_bwe.cc`).
package struct DelayBasedEstimator: ~Copyable, Sendable {
  /// Result of a feedback message.
  package struct Update: Sendable {
    /// New estimate; `nil` if unchanged.
    package var estimate: BitRate?
    package var isProbe = false
    /// Set if usage returned from underuse to normal: the queues have drained.
    package var hasRecovered = false
  }

  /// Time without feedback after which the delay history is discarded.
  private let timeout = SimDuration.seconds(2)
  private let groupingParameters: InterArrivalParameters
  private let trendParameters: TrendlineParameters
  private var grouping: InterArrivalGrouping
  private var trend: TrendlineEstimator
  private var lastFeedbackAt: SimTime?
  package private(set) var rateControl: AIMDRateControl

  package init(
    grouping: InterArrivalParameters = .init(), trend: TrendlineParameters = .init(),
    rateControl: AIMDParameters = .init(), minimum: BitRate = .kilobits(5)
  ) {
    groupingParameters = grouping
    trendParameters = trend
    self.grouping = InterArrivalGrouping(parameters: grouping)
    self.trend = TrendlineEstimator(parameters: trend)
    self.rateControl = AIMDRateControl(parameters: rateControl, minimum: minimum)
  }

  package var usage: BandwidthUsage { trend.usage }
  package var estimate: BitRate { rateControl.estimate }

  package mutating func start(at rate: BitRate) { rateControl.start(at: rate) }
  package mutating func setMinimum(_ minimum: BitRate) { rateControl.setMinimum(minimum) }
  package mutating func setRoundTrip(_ roundTrip: SimDuration) { rateControl.roundTrip = roundTrip }

  /// Processes the received packets of a feedback message in order of arrival, with the acknowledged rate and a probe
  /// result, if any.
  ///
  /// - Parameter limitedRate: rate from which overuse decreases in place of the acknowledged rate while the application
  ///   limits the latter; a recovery is then probed (field trial WebRTC-Bwe-AlrLimitedBackoff). `nil` otherwise.
  package mutating func update(
    _ arrivals: [PacketResult], throughput: BitRate?, probe: BitRate?, limitedRate: BitRate? = nil,
    at now: SimTime
  ) -> Update {
    guard !arrivals.isEmpty else { return Update() }
    if lastFeedbackAt.map({ now - $0 > timeout }) ?? true {
      grouping = InterArrivalGrouping(parameters: groupingParameters)
      trend = TrendlineEstimator(parameters: trendParameters)
    }
    lastFeedbackAt = now

    var hasRecovered = false
    for result in arrivals {
      guard let receivedAt = result.receivedAt else { continue }
      let before = trend.usage
      if let delta = grouping.add(sentAt: result.packet.sentAt, receivedAt: receivedAt, at: now) {
        trend.update(delta, receivedAt: receivedAt)
      }
      if before == .underused, trend.usage == .normal { hasRecovered = true }
    }

    var update = Update()
    if trend.usage == .overused {
      if let rate = limitedRate ?? throughput {
        guard rateControl.mayDecrease(throughput: rate, at: now) else { return update }
        rateControl.update(.overused, throughput: rate, at: now)
        update.hasRecovered = limitedRate != nil
      } else {
        // libwebrtc intends to wait 200 ms between these decreases, but the rate it passes to that check, half the
        // estimate minus one bit, always passes it: each feedback halves.
        guard rateControl.isInitialized else { return update }
        rateControl.set(rateControl.estimate.scaled(by: 0.5), origin: .delay, at: now)
      }
    } else if let probe {
      rateControl.set(probe, origin: .probe, at: now)
      update.isProbe = true
    } else {
      rateControl.update(trend.usage, throughput: throughput, at: now)
      update.hasRecovered = hasRecovered
    }
    if rateControl.isInitialized { update.estimate = rateControl.estimate }
    return update
  }
}
