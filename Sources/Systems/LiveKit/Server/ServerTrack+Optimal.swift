import Ladder

/// The layer of a track when bandwidth is no question.
extension ServerTrack {
  /// Takes the best layer of what arrives and is subscribed.
  ///
  /// Nothing is deficient after it. While nothing is forwarded, a key frame of any encoding will do, of the highest that
  /// ever arrived too, and one of the subscribed encoding is requested.
  ///
  /// - Parameter holds: congestion is near: what begins or changes has to do with the lowest layer.
  mutating func allocateOptimal(holds: Bool = false) {
    guard !isMuted, let maximum, let seen = layers.highestSeen else {
      settle(on: nil, rate: 0, isDeficient: false, by: .optimal)
      return
    }
    let temporal = min(maximum.temporal, layers.highestTemporalSeen ?? maximum.temporal)
    let lowest = LayerID(encoding: layers.lowestAvailable ?? 0, temporal: 0)
    let limit = min(maximum.encoding, seen)
    // Above the limit only where nothing below arrives.
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
      layer = LayerID(encoding: seen, temporal: temporal)
      request = best ?? limit
    }
    settle(on: layer, request: request, rate: highestRate(upTo: layer), isDeficient: false, by: .optimal)
  }
}
