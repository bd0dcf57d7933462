package import Quantity

/// ``StreamHold`` parameters; their defaults and sources are with those of the policies.
package struct StreamHoldParameters: Hashable, Sendable {
  /// Dips of the estimate down to this share of the required rate are tolerated.
  package var toleratedShare: Double
  /// Longest dip without recovery that is tolerated.
  package var longest: SimDuration
  /// A dip that is recovering is tolerated for longer while the estimate is above this share of the required rate.
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
/// headroom to add a layer than to keep one. An estimate that recovers keeps the streams for as long again: LiveKit lowers
/// its committed capacity only while estimates fall (`channel_observer.go`).
///
/// A state machine, updated with each new estimate.
package struct StreamHold: Sendable {
  private let parameters: StreamHoldParameters
  /// When the current period of the dip began, and the lowest estimate since.
  private var period: (start: SimTime, lowest: BitRate)?

  package init(parameters: StreamHoldParameters) { self.parameters = parameters }

  /// Updates the hold-off with the current estimate.
  ///
  /// - Parameters:
  ///   - isShort: whether the video budget is below the rate of the forwarded streams.
  ///   - estimate: bandwidth estimate of the whole path.
  ///   - needed: rate of the forwarded streams and everything sent beside them.
  ///   - now: monotonic across calls.
  /// - Returns: whether to keep forwarding the streams although the budget is short.
  package mutating func holds(
    isShort: Bool, estimate: BitRate, needed: BitRate, now: SimTime
  ) -> Bool {
    guard isShort else {
      period = nil
      return false
    }
    // The path carries the streams: the budget is short by a reserve.
    guard estimate < needed else {
      period = nil
      return true
    }
    var current = period ?? (now, estimate)
    current.lowest = min(current.lowest, estimate)
    if now - current.start >= parameters.longest, estimate > current.lowest,
      estimate > needed.scaled(by: parameters.recoveredShare)
    {
      current = (now, estimate)
    }
    period = current
    return estimate >= needed.scaled(by: parameters.toleratedShare)
      && now - current.start < parameters.longest
  }
}
