/// Kind of quantity compared between a recorded call and simulated ones; one tolerance applies to all checks of a kind.
package enum CallCheckKind: String, CaseIterable, Sendable {
  /// Settled mean of a media rate.
  case rate = "rates"
  /// Settled mean of the sender's estimate, and the peak and trough of its sawtooth.
  case estimate = "estimates"
  case height = "heights"
  /// Settled median, and the median of the ten seconds after a drop.
  case frameRate = "frame rates"
  /// Number and duration of freezes in a segment.
  case freeze = "freezes"
  /// Time until an event, as the median over the seeds.
  case time = "times"
  /// Packets and requests in a segment: lost, requested, repaired.
  case count = "counts"
  /// Settled median of the round trip.
  case delay = "delays"

  /// Tolerance: a share of the recorded value or, if greater, an absolute distance.
  package var bound: Bound {
    switch self {
    case .rate, .estimate: Bound(share: 0.15, distance: 0)
    case .height: Bound(share: 0, distance: 0)
    case .frameRate: Bound(share: 0.1, distance: 0)
    case .freeze, .count: Bound(share: 0.3, distance: 2)
    case .time: Bound(share: 0.3, distance: 0)
    // Browsers report whole milliseconds.
    case .delay: Bound(share: 0.15, distance: 1)
    }
  }

  /// Share of the seconds in a window in which heights must be equal.
  static let equalSeconds = 0.9

  /// Compares a recorded value with a simulated one.
  func check(_ metric: String, recorded: Double, simulated: Double) -> VerificationCheck {
    let share = "±\(VerificationCheck.text(bound.share * 100)) %"
    let text = bound.distance > 0 ? "\(share) or \(VerificationCheck.text(bound.distance))" : share
    return VerificationCheck(
      metric, published: VerificationCheck.text(recorded), simulated: VerificationCheck.text(simulated),
      tolerance: text, holds: bound.holds(recorded: recorded, other: simulated)
    ).of(self)
  }
}

extension VerificationCheck {
  /// Returns the check with a kind assigned.
  func of(_ kind: CallCheckKind) -> VerificationCheck {
    var check = self
    check.kind = kind
    return check
  }
}
