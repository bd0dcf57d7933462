package import Quantity

/// What can be set about how long streams go on that an estimate no longer carries.
package struct StreamHoldParameters: Hashable, Sendable {
  /// An estimate of at least this share of what the streams need is waited out … [mediasoup allocates anew at once
  /// below 75 % of the last estimate; less would not outlast one fall of Google Congestion Control].
  package var toleratedShare = 0.75
  /// … for this long [Jitsi allocates anew after 5 s at the latest].
  package var longest = SimDuration.seconds(5)

  package init() {}
}

/// Keeps streams through the falls by which a congestion controller finds a path's capacity.
///
/// Google Congestion Control goes down to 0.85 of what arrives with each overuse and is back some seconds later; the
/// key frame of a layer that has just begun can be enough. Who follows every such fall never keeps a layer that needs
/// more than that share of the path. Our model after mediasoup (`TransportCongestionControlClient.cpp`) and Jitsi, which
/// waits out falls of up to 15 % (`BandwidthAllocator.kt`); LiveKit and Signal's server, too, ask more of a layer that
/// begins than of one that goes on.
///
/// A state machine: it is told each new estimate and says whether the streams go on.
package struct StreamHold: Hashable, Sendable {
  private let parameters: StreamHoldParameters
  private var shortSince: SimTime?

  package init(parameters: StreamHoldParameters = .init()) { self.parameters = parameters }

  /// Takes the present estimate.
  ///
  /// - Parameters:
  ///   - isShort: whether the budget for video is less than the streams take.
  ///   - estimate: of the whole path.
  ///   - needed: of the whole path, by the streams with everything that goes beside them.
  ///   - now: never before that of the last call.
  /// - Returns: whether the streams go on although the budget is short.
  package mutating func holds(
    isShort: Bool, estimate: BitRate, needed: BitRate, now: SimTime
  ) -> Bool {
    guard isShort else {
      shortSince = nil
      return false
    }
    let since = shortSince ?? now
    shortSince = since
    return estimate >= needed.scaled(by: parameters.toleratedShare) && now - since < parameters.longest
  }
}
