package import Allocation
package import Ladder
package import Plan
import Quantity
import Systems

extension MeetingPlan {
  /// Returns the name of the rule that limits a viewer's tile: for a cap or a lowered request, the rule behind it;
  /// otherwise the client's rule, or the one that decided.
  ///
  /// - Parameter capture: the source's capture format; `nil` if unknown.
  package func limitingRule(
    of grant: Grant, on wish: Subscription, _ reason: Limitation, decidedBy rule: String, for viewer: Int,
    capture: VideoFormat?
  ) -> String {
    var decided = rule
    var lowering: String?
    switch wish.clientRule {
    case .decision(let name): decided = name
    case .request(let name): lowering = name
    case nil: break
    }
    switch reason {
    case .none, .layerMissing: return lowering ?? decided
    case .sender: return grant.isTop(of: wish.ladder, below: capture) ? "SenderLadder" : decided
    case .requestCap: break
    default: return decided
    }
    if wish.isGateLimit(grant.layer) { return "ReceiveGate" }
    if wish.confinement.window != nil { return lowering ?? "PictureInPicture" }
    // The cap is not to blame for a request that the client itself has lowered.
    let isLowered = !wish.requested.isWithin(wish.maximum)
    return receiveCap(of: viewer) == .unlimited || isLowered ? decided : capRule(of: viewer)
  }
}

extension Grant {
  /// Checks whether the grant is a ladder's highest layer, and that layer has fewer lines or frames than the capture.
  fileprivate func isTop(of ladder: [Layer], below capture: VideoFormat?) -> Bool {
    guard let capture, let top = ladder.last, layer?.id == top.id else { return false }
    return !capture.isWithin(top.format)
  }
}
