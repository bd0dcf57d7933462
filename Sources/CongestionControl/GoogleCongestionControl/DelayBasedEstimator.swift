package import Quantity

/// The delay-based half of the controller: groups, trend and rate control (libwebrtc's `delay_based_bwe.cc`).
package struct DelayBasedEstimator: ~Copyable, Sendable {
  /// What one feedback message brought.
  package struct Update: Sendable {
    /// The estimate, when it was set anew.
    package var estimate: BitRate?
    package var isProbe = false
    /// The queues have drained and the path is in normal use again.
    package var hasRecovered = false
  }

  /// Without feedback for this long, delays from before say nothing.
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

  package var use: PathUse { trend.use }
  package var estimate: BitRate { rateControl.estimate }

  package mutating func start(at rate: BitRate) { rateControl.start(at: rate) }
  package mutating func limit(below minimum: BitRate) { rateControl.limit(below: minimum) }
  package mutating func setRoundTrip(_ roundTrip: SimDuration) { rateControl.roundTrip = roundTrip }

  /// Takes the received packets of a feedback message in the order of arrival, what is acknowledged and the result
  /// of a probe, if any.
  package mutating func update(
    _ arrivals: [PacketResult], throughput: BitRate?, probe: BitRate?, at now: SimTime
  ) -> Update {
    guard !arrivals.isEmpty else { return Update() }
    if lastFeedbackAt.map({ now - $0 > timeout }) ?? true {
      grouping = InterArrivalGrouping(parameters: groupingParameters)
      trend = TrendlineEstimator(parameters: trendParameters)
    }
    lastFeedbackAt = now

    var hasRecovered = false
    for result in arrivals {
      let before = trend.use
      if let delta = grouping.add(sentAt: result.packet.sentAt, receivedAt: result.receivedAt, at: now) {
        trend.update(delta, receivedAt: result.receivedAt)
      }
      if before == .underused, trend.use == .normal { hasRecovered = true }
    }

    var update = Update()
    if trend.use == .overused {
      if let throughput {
        guard rateControl.mayDecrease(throughput: throughput, at: now) else { return update }
        rateControl.update(.overused, throughput: throughput, at: now)
      } else {
        // libwebrtc means to wait 200 ms between two of these, but the rate that it passes to that check, half of
        // the estimate less one bit, always ends the wait: each feedback halves.
        guard rateControl.isInitialized else { return update }
        rateControl.set(rateControl.estimate.scaled(by: 0.5), origin: .delay, at: now)
      }
    } else if let probe {
      rateControl.set(probe, origin: .probe, at: now)
      update.isProbe = true
    } else {
      rateControl.update(trend.use, throughput: throughput, at: now)
      update.hasRecovered = hasRecovered
    }
    if rateControl.isInitialized { update.estimate = rateControl.estimate }
    return update
  }
}
