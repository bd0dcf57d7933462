import Endpoint
import Plan
import Quantity
import SimulationKernel
import Systems

/// Replacement of an encoding that has stopped arriving by a lower one.
extension Forwarder {
  /// Checks the tracks that are forwarded an encoding other than the packet's, and lowers those whose own is missing.
  ///
  /// An encoding counts as missing after at least two frame intervals of silence [our model]: real senders transmit a
  /// frame's encodings from the largest down, so none goes missing between two frames, whereas here the smallest comes
  /// first.
  mutating func fallBack(
    at number: Int, _ rule: ForwardingRules.FallbackRule, _ net: inout Connections, kernel: inout Kernel
  ) {
    let now = kernel.now
    let source = Int(ingress[number].source)
    let encodings = streams.sources[source].encodings
    for current in encodings where current != number && switching.viewers.count(of: current) > 0 {
      let arrivedAt = ingress[current].arrivedAt
      let after = max(rule.after, ingress[current].twoFrames)
      let timeout = max(rule.keyFrameTimeout, ingress[current].twoFrames)
      guard arrivedAt.isOlder(than: after, at: now) || arrivedAt.hasPassed(timeout, at: now) else { continue }
      for place in 0..<switching.viewers.count(of: current) {
        let track = streams.track(viewer: Int(switching.viewers[place, of: current]), source: source)
        let relayedAt = switching.lastRelay(track, arrivedAt: arrivedAt)
        var wanted = relayedAt.hasPassed(timeout, at: now) ? current : nil
        if current > encodings.lowerBound, relayedAt.isOlder(than: after, at: now) {
          wanted = switching.stepDown(track, of: source, after: ingress[number].index, at: now)
            .map { encodings.lowerBound + $0 }
        }
        if let wanted { requestKeyFrame(of: wanted, &net, kernel: &kernel) }
      }
    }
  }
}
