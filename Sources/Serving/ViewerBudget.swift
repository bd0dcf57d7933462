package import Allocation
package import Quantity
import Systems

/// The budget of one viewer's streams, which follows its downlink.
package struct ViewerBudget {
  /// Budget that the downlink leaves for video.
  package var downlink = VideoBudget(estimate: nil)
  /// Budget last reported to a stateful server.
  package var reported: VideoBudget?
  /// Budget of the last decision; `nil` before the first.
  package var decided: VideoBudget?
  /// Rate that the downlink left for video at the last allocation, regardless of the cap.
  package var acted: RateLimit?
  var actedAt = SimTime.zero
  /// Rate that the last allocation could spend: its budget, or the client's cap if that is less; unlimited while the
  /// downlink is unknown.
  package var allowance = RateLimit.zero
  /// Budget needed to show a picture that is not shown at all; `nil` if none is missing.
  var missingPicture: BitRate?
  /// Total rate of the streams in the last allocation.
  package var given = BitRate.zero
  /// Rate of the streams if the client had not fallen back, within what it accepts; zero if it has not.
  package var withheld = BitRate.zero
  /// Hold-off that keeps streams through a drop of the estimate.
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

  /// Checks whether the current budget calls for a new allocation.
  package func isDue(by rule: ReallocationRule, at now: SimTime) -> Bool {
    guard let acted else { return false }
    return rule.applies(to: current, after: acted, given: given, missingPicture, for: now - actedAt)
  }

  /// Notes the budget that the viewer's server has decided with: of the current estimate, or of an earlier one that it
  /// still acts on.
  ///
  /// A capacity that the server has settled on may be above the current estimate.
  ///
  /// - Parameters:
  ///   - clientCap: maximum rate that the client accepts.
  ///   - acted: rate that the server has acted on; `nil` before its first decision.
  ///   - serverCap: maximum rate by the server's own rule; `nil` for none.
  package mutating func noteDecision(
    within estimate: BitRate, clientCap: RateLimit, acted: BitRate?, serverCap: BitRate?
  ) {
    var first = VideoBudget(estimate: estimate)
    first.cap = clientCap
    var budget = reported ?? first
    if let acted, budget.total.rate != acted {
      budget = decided.flatMap { $0.total.rate == acted ? $0 : nil } ?? budget.leaving(acted)
    }
    if let serverCap {
      if !budget.available.admits(serverCap) { budget = budget.leaving(serverCap) }
      budget.cap = RateLimit(serverCap)
    }
    decided = budget
  }
}
