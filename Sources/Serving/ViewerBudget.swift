package import Allocation
package import Quantity
import Systems

/// Budget of one viewer's streams, as the SFU follows its downlink.
package struct ViewerBudget {
  /// Budget that the downlink leaves for video.
  package var downlink = VideoBudget(estimate: nil)
  /// Budget last reported to a server that decides with a memory.
  package var reported: VideoBudget?
  /// Budget of the last decision; `nil` before.
  package var decided: VideoBudget?
  /// Rate that the downlink left in the last allocation, whatever the cap.
  package var acted: RateLimit?
  var actedAt = SimTime.zero
  /// Rate that the last allocation could spend: its budget, or less by a cap; unlimited while nothing is known of the
  /// downlink.
  package var allowance = RateLimit.zero
  /// Budget that a picture that is not shown at all would need; `nil` where none is missing.
  var missingPicture: BitRate?
  /// Total rate of the streams in the last allocation.
  package var given = BitRate.zero
  /// Rate of the streams if the client had not fallen back to less, within what it accepts; zero where it has not.
  package var withheld = BitRate.zero
  /// Hold-off that keeps streams through a fall of the estimate.
  package var hold: StreamHold
  /// Set while streams are held.
  package var isHeld = false

  init(_ parameters: RateParameters) {
    hold = StreamHold(
      parameters: StreamHoldParameters(
        toleratedShare: parameters.holdShare, longest: parameters.holdTime,
        recoveredShare: parameters.holdRecoveredShare))
  }

  /// Rate that the downlink leaves for video now.
  package var current: RateLimit { downlink.available }

  /// Checks whether the current budget calls for another allocation.
  package func isDue(by rule: ReallocationRule, at now: SimTime) -> Bool {
    guard let acted else { return false }
    return rule.applies(to: current, after: acted, given: given, missingPicture, for: now - actedAt)
  }
}
