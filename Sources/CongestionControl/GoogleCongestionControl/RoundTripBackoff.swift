package import Quantity

/// Parameters of the backoff at excessive round trips (`send_side_bandwidth_estimation.cc`, `RttBasedBackoff`).
package struct RoundTripBackoffParameters: Hashable, Sendable {
  /// Round trip above which the sender backs off.
  package var limit = SimDuration.seconds(3)
  /// Decrease factor.
  package var factor = 0.8
  /// Minimum interval between decreases.
  package var interval = SimDuration.seconds(1)
  /// Lower bound of the decreased target.
  package var floor = BitRate.kilobits(5)

  package init() {}
}

/// Monitor of the round trip, excluding feedback delay, and of the time that feedback has been missing.
package struct RoundTripBackoff: Sendable {
  package let parameters: RoundTripBackoffParameters
  private var updatedAt: SimTime?
  private var lastSentAt: SimTime?
  private var roundTrip = SimDuration.zero

  package init(parameters: RoundTripBackoffParameters = .init()) { self.parameters = parameters }

  /// Updates the propagation round trip from a feedback message.
  package mutating func update(_ roundTrip: SimDuration, at now: SimTime) {
    self.roundTrip = roundTrip
    updatedAt = now
  }

  /// Reports the send times of the first and last of a batch of packets covered by feedback; the very first packet
  /// starts the wait for feedback.
  mutating func send(from first: SimTime, to last: SimTime) {
    if updatedAt == nil { update(.zero, at: first) }
    lastSentAt = last
  }

  /// `true` while the round trip plus the time that feedback has been missing while sending exceeds the limit.
  package var isAboveLimit: Bool {
    guard let updatedAt, let lastSentAt else { return false }
    return roundTrip + max(lastSentAt - updatedAt, .zero) > parameters.limit
  }
}
