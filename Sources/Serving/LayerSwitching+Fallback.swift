import Endpoint
import Plan
package import Quantity
import SimulationKernel
import Systems

/// Replacement of an encoding that has stopped arriving by a lower one.
extension LayerSwitching {
  /// Ends replacements when a packet of a higher encoding arrives, without requesting a key frame of that encoding.
  package mutating func endSubstitutes(at number: Int, of source: Int) {
    guard substitutes[source] > 0 else { return }
    let index = Int8(streams.encodings[number].index)
    for viewer in 0..<streams.participantCount {
      let track = streams.track(viewer: viewer, source: source)
      guard tracks[track].substitute >= 0, index > tracks[track].substitute else { continue }
      setSubstitute(-1, of: track, source)
      wait(for: -1, track, of: source)
    }
  }

  /// Returns the time since which a track has been relayed nothing at its current replacement.
  ///
  /// - Parameter arrivedAt: time of the last packet of the encoding that it is forwarded.
  func lastRelay(_ track: Int, arrivedAt: LastTime) -> LastTime { max(arrivedAt, fallenBackAt[track]) }

  /// Lowers a track to the next encoding.
  ///
  /// - Parameter arrived: encoding of the packet that arrived instead, by its place in the source.
  /// - Returns: the new replacement, as an index in the source; `nil` if it does not change.
  package mutating func stepDown(_ track: Int, of source: Int, after arrived: Int8, at now: SimTime) -> Int? {
    fallenBackAt[track] = LastTime(now)
    let target = tracks[track].target.encoding
    let before = tracks[track].substitute
    guard before != 0, arrived < target else { return nil }
    let lower = max(0, tracks[track].aim - 1)
    setSubstitute(lower, of: track, source)
    wait(for: lower == tracks[track].current.encoding ? -1 : lower, track, of: source)
    return Int(lower)
  }

  mutating func setSubstitute(_ encoding: Int8, of track: Int, _ source: Int) {
    substitutes[source] += (encoding >= 0 ? 1 : 0) - (tracks[track].substitute >= 0 ? 1 : 0)
    tracks[track].substitute = encoding
  }
}
