package import Quantity

/// What can be set about the reaction to round trips that only a broken path has
/// (`send_side_bandwidth_estimation.cc`, `RttBasedBackoff`).
package struct RoundTripBackoffParameters: Hashable, Sendable {
  /// Longer round trips make the sender back off.
  package var limit = SimDuration.seconds(3)
  /// Factor of a decrease, time between two of them, and the rate that they end at.
  package var factor = 0.8
  package var interval = SimDuration.seconds(1)
  package var floor = BitRate.kilobits(5)

  package init() {}
}

/// Watches the round trip without the receiver's waiting, and how long feedback has been missing.
package struct RoundTripBackoff: Sendable {
  package let parameters: RoundTripBackoffParameters
  private var updatedAt: SimTime?
  private var lastSentAt: SimTime?
  private var roundTrip = SimDuration.zero

  package init(parameters: RoundTripBackoffParameters = .init()) { self.parameters = parameters }

  /// Takes the propagation round trip of a feedback message.
  package mutating func update(_ roundTrip: SimDuration, at now: SimTime) {
    self.roundTrip = roundTrip
    updatedAt = now
  }

  /// Takes the times of the first and last of some packets that feedback will report; the very first one starts the
  /// wait for feedback.
  mutating func send(from first: SimTime, to last: SimTime) {
    if updatedAt == nil { update(.zero, at: first) }
    lastSentAt = last
  }

  /// Whether the round trip, with the time that feedback has been missing while packets left, is too long.
  package var isAboveLimit: Bool {
    guard let updatedAt, let lastSentAt else { return false }
    return roundTrip + max(lastSentAt - updatedAt, .zero) > parameters.limit
  }
}
