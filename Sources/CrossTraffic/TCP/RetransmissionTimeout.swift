package import Quantity

/// Retransmission timer of a TCP sender: RFC 6298 section 2, in whole nanoseconds.
///
/// The clock granularity G of rule (2.3) is ``TCPParameters/minimumTimeoutMargin``, as Linux keeps its timeout above
/// the smoothed round trip (`__tcp_set_rto`, `tcp_rto_min`).
package struct RetransmissionTimeout: BitwiseCopyable, Sendable {
  private let margin: SimDuration
  private let longest: SimDuration
  /// SRTT; `nil` before the first measurement.
  package private(set) var smoothed: SimDuration?
  /// RTTVAR.
  package private(set) var variation = SimDuration.zero
  /// RTO, including backoff since the last measurement.
  package private(set) var duration: SimDuration

  package init(parameters: TCPParameters) {
    margin = parameters.minimumTimeoutMargin
    longest = parameters.maximumTimeout
    duration = min(parameters.initialTimeout, parameters.maximumTimeout)
  }

  /// Updates the estimators with a measured round trip: rules (2.2) and (2.3) with alpha 1/8, beta 1/4, K 4.
  package mutating func measure(_ roundTrip: SimDuration) {
    if let before = smoothed {
      let deviation = before < roundTrip ? roundTrip - before : before - roundTrip
      variation = (variation * 3 + deviation) / 4
      smoothed = (before * 7 + roundTrip) / 8
    } else {
      smoothed = roundTrip
      variation = roundTrip / 2
    }
    duration = min(longest, (smoothed ?? roundTrip) + max(margin, variation * 4))
  }

  /// Doubles the timeout after it expired: rule (5.5).
  package mutating func backOff() { duration = min(longest, duration * 2) }
}
