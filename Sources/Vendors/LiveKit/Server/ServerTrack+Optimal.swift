import Ladder
import Systems

/// Layer of a track when bandwidth is no constraint.
extension ServerTrack {
  /// Takes the best layer that arrives and is subscribed.
  ///
  /// The track is not deficient afterwards. While nothing is forwarded, a key frame of any encoding up to the highest
  /// that has ever arrived will do, and one of the subscribed encoding is requested.
  ///
  /// - Parameter holds: `true` when congestion is near: a track that starts or changes is then limited to the lowest
  ///   layer.
  mutating func allocateOptimal(holds: Bool = false) {
    guard !isMuted, let maximum, let seen = layers.highestSeen else {
      settle(on: nil, rate: 0, isDeficient: false, by: .optimal)
      return
    }
    let temporal = min(maximum.temporal, layers.highestTemporalSeen ?? maximum.temporal)
    let lowest = LayerID(encoding: layers.lowestAvailable ?? 0, temporal: 0)
    let limit = min(maximum.encoding, seen)
    // Goes above the limit only if nothing below it arrives.
    let best = layers.highestAvailable(upTo: limit) ?? layers.highestAvailable
    var layer = lowest
    var request = lowest.encoding
    if let current {
      if best == nil || best == self.request && best == current.encoding {
        layer = LayerID(encoding: current.encoding, temporal: temporal)
      } else if let best, !holds {
        layer = LayerID(encoding: best, temporal: temporal)
      }
      request = layer.encoding
    } else if !holds {
      layer = LayerID(encoding: isScalable ? limit : seen, temporal: temporal)
      request = best ?? limit
    }
    settle(on: layer, request: request, rate: highestRate(upTo: layer), isDeficient: false, by: .optimal)
  }
}
