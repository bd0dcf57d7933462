package import Quantity

/// Rates between which a controller's target has to stay.
package struct RateConstraints: Hashable, Sendable {
  /// The first target: 300 kbps in libwebrtc (`api/transport/bitrate_settings.h`).
  package var start = BitRate.kilobits(300)
  /// The least target: 5 kbps in libwebrtc (`bwe_defines.h`).
  package var minimum = BitRate.kilobits(5)
  /// The greatest target; ``Quantity/BitRate/unlimited`` for none.
  package var maximum = BitRate.unlimited

  package init() {}
}

/// What the streams of a sender could use of a path: a controller probes and pads no further.
package struct SenderDemand: Hashable, Sendable {
  /// Sum of the least rates of the streams that are on: the pacer never goes slower.
  package var minimumAllocated = BitRate.zero
  /// Sum of the greatest rates that the streams could use.
  package var maximumAllocated = BitRate.zero
  /// Up to this rate the sender fills with padding what media leaves of the target.
  package var maximumPadding = BitRate.zero
  /// Whether probing goes on while media uses less than the estimate (libwebrtc: on for audio alone and for a screen
  /// share that came last, off for a camera).
  package var probesWhenApplicationLimited = false

  package init() {}
}

/// A burst above the target that finds out what a path carries.
package struct ProbeCluster: BitwiseCopyable, Hashable, Sendable {
  /// Number of the cluster at its controller, from 0.
  package var id: Int32
  package var rate: BitRate
  package var minimumPackets: Int32
  /// The cluster lasts at least until this much has been sent at its rate.
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

/// How fast a sender may send.
package struct PathTarget: Hashable, Sendable {
  /// What media, repairs, padding and headers may use together.
  package var rate: BitRate
  /// What the pacer lets out at most, bursts apart.
  package var pacing: BitRate
  /// Up to this rate the pacer fills gaps with padding.
  package var padding: BitRate

  package init(rate: BitRate, pacing: BitRate, padding: BitRate) {
    self.rate = rate
    self.pacing = pacing
    self.padding = padding
  }
}
