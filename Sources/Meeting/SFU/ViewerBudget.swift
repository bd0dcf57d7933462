import Allocation
import Quantity
import Systems

/// What one viewer's streams may take, as the SFU follows its downlink.
struct ViewerBudget {
  /// What the downlink leaves for video.
  var downlink = VideoBudget(estimate: nil)
  /// What a server that decides with a memory was told last.
  var reported: VideoBudget?
  /// What the last decision went by; `nil` before.
  var decided: VideoBudget?
  /// What the last allocation had of the downlink, whatever the cap.
  var acted: RateLimit?
  var actedAt = SimTime.zero
  /// What the last allocation could spend: its budget, or less by a cap; unlimited before anything is known of the
  /// downlink.
  var allowance = RateLimit.zero
  /// What a picture that is not shown at all would need of it; `nil` where none is missing.
  var missingPicture: BitRate?
  /// What the streams take together by the last allocation.
  var given = BitRate.zero
  /// The same as the rule counted it.
  var taken = BitRate.zero
  /// What the streams would take if the client had not fallen back to less; zero where it has not.
  var withheld = BitRate.zero
  /// Keeps streams through a fall of the estimate, and whether it does now.
  var hold: StreamHold
  var isHeld = false

  init(_ parameters: RateParameters) {
    hold = StreamHold(
      parameters: StreamHoldParameters(
        toleratedShare: parameters.holdShare, longest: parameters.holdTime,
        recoveredShare: parameters.holdRecoveredShare))
  }

  /// What the downlink leaves for video now.
  var current: RateLimit { downlink.available }

  /// Whether the current budget asks for another allocation.
  func isDue(by rule: ReallocationRule, at now: SimTime) -> Bool {
    guard let acted else { return false }
    return rule.applies(to: current, after: acted, given: given, missingPicture, for: now - actedAt)
  }
}
