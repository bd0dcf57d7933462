package import Quantity

/// Start rate and bounds of a controller's target.
package struct RateConstraints: Hashable, Sendable {
  /// Start rate: 300 kbps in libwebrtc (`api/transport/bitrate_settings.h`).
  package var start = BitRate.kilobits(300)
  /// Minimum target: 5 kbps in libwebrtc (`bwe_defines.h`).
  package var minimum = BitRate.kilobits(5)
  /// Maximum target.
  package var maximum = RateLimit.unlimited

  package init() {}
}

/// Rates that a sender's streams can use, which limit probing and padding.
package struct SenderDemand: Hashable, Sendable {
  /// Sum of the active streams' minimum rates: a lower bound on the pacing rate.
  package var minimumAllocated = BitRate.zero
  /// Sum of the streams' maximum rates.
  package var maximumAllocated = BitRate.zero
  /// Rate up to which padding fills the target.
  package var maximumPadding = BitRate.zero
  /// Enables probing in application-limited regions (libwebrtc: enabled for audio only and for a screen share added
  /// last, disabled for cameras).
  package var probesWhenApplicationLimited = false
  /// Enables probing as often as in application-limited regions, whatever the estimate, and up to the rate that the
  /// streams could use: for a server that must find out when a path can again carry streams that it does not currently
  /// send (ours).
  package var probesPeriodically = false
  /// Rate that the streams currently take.
  package var taken = BitRate.zero
  /// Set if a rule grants the streams their rate even beyond the target: a rise of ``taken`` is then probed (ours).
  package var isBeyondTarget = false
  /// Rate up to which padding fills the target while it tests an estimate that grows again after loss (libwebrtc: all
  /// of the target).
  package var maximumLossPadding = RateLimit.unlimited

  package init() {}
}

/// Packet burst above the target that measures the path's capacity.
package struct ProbeCluster: BitwiseCopyable, Hashable, Sendable {
  /// Identifier within its controller, from 0.
  package var id: Int32
  package var rate: BitRate
  package var minimumPackets: Int32
  /// Minimum duration of the cluster at its rate.
  package var minimumDuration: SimDuration
  package var createdAt: SimTime

  package init(
    id: Int32, rate: BitRate, minimumPackets: Int32, minimumDuration: SimDuration, createdAt: SimTime
  ) {
    self.id = id
    self.rate = rate
    self.minimumPackets = minimumPackets
    self.minimumDuration = minimumDuration
    self.createdAt = createdAt
  }
}

/// Rates of a sender.
package struct PathTarget: Hashable, Sendable {
  /// Target rate of media, retransmissions, padding and headers together.
  package var rate: BitRate
  /// Pacing rate; unlimited for a sender that does not pace.
  package var pacing: RateLimit
  /// Padding rate: the pacer fills gaps up to this rate.
  package var padding: BitRate

  package init(rate: BitRate, pacing: RateLimit, padding: BitRate) {
    self.rate = rate
    self.pacing = pacing
    self.padding = padding
  }
}
