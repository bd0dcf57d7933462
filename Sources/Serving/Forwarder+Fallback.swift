import Endpoint
import Plan
import Quantity
import SimulationKernel
import Systems

/// Replacement of an encoding that has stopped arriving by a lower one.
extension Forwarder {
  /// Ends replacements when a packet of a higher encoding arrives, without requesting a key frame of that encoding.
  mutating func endSubstitutes(at number: Int) {
    let source = Int(ingress[number].source)
    guard switching.substitutes[source] > 0 else { return }
    for viewer in 0..<streams.participantCount {
      let track = streams.track(viewer: viewer, source: source)
      guard tracks[track].substitute >= 0, ingress[number].index > tracks[track].substitute else { continue }
      setSubstitute(-1, of: track, source)
      wait(for: -1, track, of: source)
    }
  }

  /// Checks the tracks that are forwarded an encoding other than the packet's, and lowers those whose own is missing.
  ///
  /// An encoding counts as missing after at least two frame intervals of silence [our model]: real senders transmit a
  /// frame's encodings from the largest down, so none goes missing between two frames, whereas here the smallest comes
  /// first.
  mutating func fallBack(
    at number: Int, _ rule: ForwardingRules.FallbackRule, endpoints: inout Endpoints,
    links: inout PathLinks, kernel: inout Kernel
  ) {
    let now = kernel.now
    let source = Int(ingress[number].source)
    let encodings = streams.sources[source].encodings
    for current in encodings where current != number && ingress[current].viewers > 0 {
      let arrivedAt = ingress[current].arrivedAt
      let after = max(rule.after, ingress[current].twoFrames)
      let timeout = max(rule.keyFrameTimeout, ingress[current].twoFrames)
      guard arrivedAt.isOlder(than: after, at: now) || arrivedAt.hasPassed(timeout, at: now) else { continue }
      for position in 0..<Int(ingress[current].viewers) {
        let track = streams.track(viewer: Int(viewer(position, of: current)), source: source)
        let relayedAt = max(arrivedAt, switching.fallenBackAt[track])
        var wanted = relayedAt.hasPassed(timeout, at: now) ? current : nil
        if current > encodings.lowerBound, relayedAt.isOlder(than: after, at: now) {
          switching.fallenBackAt[track] = LastTime(now)
          wanted = stepDown(track, of: source, at: ingress[number].index).map { encodings.lowerBound + $0 }
        }
        if let wanted { requestKeyFrame(of: wanted, endpoints: &endpoints, links: &links, kernel: &kernel) }
      }
    }
  }

  /// Lowers a track to the next encoding.
  ///
  /// - Parameter index: encoding of the packet that arrived instead.
  /// - Returns: the new replacement, as an index in the source; `nil` if it does not change.
  private mutating func stepDown(_ track: Int, of source: Int, at index: Int8) -> Int? {
    let target = tracks[track].target.encoding
    let before = tracks[track].substitute
    guard before != 0, index < target else { return nil }
    let lower = max(0, tracks[track].aim - 1)
    setSubstitute(lower, of: track, source)
    wait(for: lower == tracks[track].current.encoding ? -1 : lower, track, of: source)
    return Int(lower)
  }

  mutating func setSubstitute(_ encoding: Int8, of track: Int, _ source: Int) {
    switching.substitutes[source] += (encoding >= 0 ? 1 : 0) - (tracks[track].substitute >= 0 ? 1 : 0)
    tracks[track].substitute = encoding
  }
}
