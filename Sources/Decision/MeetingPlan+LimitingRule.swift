package import Allocation
import Ladder
package import Plan
import Quantity
import Systems

extension MeetingPlan {
  /// Returns the name of the rule that limits a viewer's tile: of a cap, whose it is; else the client's rule, or the one
  /// that has decided.
  package func limitingRule(
    of grant: Grant, on wish: Subscription, _ reason: Limitation?, decidedBy rule: String, for viewer: Int
  ) -> String {
    let decided = wish.clientRule ?? rule
    guard reason == .requestCap else { return decided }
    if wish.isGateLimit(grant.layer) { return "ReceiveGate" }
    if wish.window != nil { return "PictureInPicture" }
    // A request that the client itself has lowered is not the cap's.
    let isLowered = !wish.requested.isWithin(wish.maximum)
    return receiveCap(of: viewer) == .unlimited || isLowered ? decided : capRule(of: viewer)
  }
}
