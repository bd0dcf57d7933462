package import Quantity

/// ``StreamHold`` parameters; the policies define their defaults and sources.
package struct StreamHoldParameters: Hashable, Sendable {
  /// Share of the required rate, repairs aside, down to which dips of the estimate are tolerated.
  package var toleratedShare: Double
  /// Longest tolerated dip without recovery.
  package var longest: SimDuration
  /// Share of the required rate above which a recovering dip is tolerated for longer.
  package var recoveredShare: Double

  package init(toleratedShare: Double, longest: SimDuration, recoveredShare: Double) {
    self.toleratedShare = toleratedShare
    self.longest = longest
    self.recoveredShare = recoveredShare
  }
}

/// Hold-off against downgrades while a congestion controller probes a path's capacity.
///
/// Google Congestion Control backs off to 0.85 of the received rate at each overuse and recovers within seconds; the
/// key frame of a newly forwarded layer can trigger it. An allocator that follows every such dip never keeps a layer
/// that needs more than that share of the path. Our model after mediasoup (`TransportCongestionControlClient.cpp`) and
/// Jitsi, which ignores drops of up to 15 % (`BandwidthAllocator.kt`); LiveKit and Signal's server also demand more
/// headroom to add a layer than to keep one. An estimate that recovers holds the streams for another such period; one
/// that only rises from its minimum holds them while it keeps rising and losses are low: LiveKit lowers its committed
/// capacity only while estimates fall (`channel_observer.go`).
///
/// A state machine, updated with each new estimate.
package struct StreamHold: Sendable {
  private struct Period {
    var start: SimTime
    /// Latest estimate.
    var estimate: BitRate
    /// Lowest estimate since the start.
    var lowest: BitRate
    /// Set while the estimate has not fallen again after its minimum.
    var isRising = true

    init(_ estimate: BitRate, at now: SimTime) {
      start = now
      self.estimate = estimate
      lowest = estimate
    }
  }

  /// Share of repairs above which the path is congested, whatever the estimate does: more than a tenth of the packets
  /// lost is congestion in Google Congestion Control as well (draft-ietf-rmcat-gcc-02, section 6).
  private static let bearableRepairs = 0.1

  private let parameters: StreamHoldParameters
  /// Current part of a dip; `nil` outside a dip.
  private var period: Period?

  package init(parameters: StreamHoldParameters) { self.parameters = parameters }

  /// Updates the hold-off with the current estimate.
  ///
  /// - Parameters:
  ///   - isShort: `true` if the video budget is below the rate of the forwarded streams.
  ///   - estimate: bandwidth estimate of the whole path.
  ///   - needed: rate of the forwarded streams and everything sent beside them.
  ///   - repairs: the part of `needed` that is retransmissions. Losses come in bursts, so they are no measure of a
  ///     dip.
  ///   - now: monotonic across calls.
  /// - Returns: `true` to keep forwarding the streams although the budget is short.
  package mutating func holds(
    isShort: Bool, estimate: BitRate, needed: BitRate, repairs: BitRate = .zero, now: SimTime
  ) -> Bool {
    guard isShort else {
      period = nil
      return false
    }
    // The path carries the streams: only a reserve makes the budget short.
    guard estimate < needed else {
      period = nil
      return true
    }
    var current = period ?? Period(estimate, at: now)
    let isOver = now - current.start >= parameters.longest
    if estimate < current.estimate { current.isRising = !isOver && estimate < current.lowest }
    current.estimate = estimate
    current.lowest = min(current.lowest, estimate)
    if isOver, estimate > current.lowest, estimate > needed.scaled(by: parameters.recoveredShare) {
      current = Period(estimate, at: now)
    }
    period = current
    let isRecovering =
      current.isRising && estimate > current.lowest && repairs <= needed.scaled(by: Self.bearableRepairs)
    let isTolerated = now - current.start < parameters.longest || isRecovering
    return isTolerated && estimate >= (needed - repairs).scaled(by: parameters.toleratedShare)
  }
}
