import Ladder
import Quantity

/// What is free goes to deficient tracks, a layer at a time: after a probe, and when a track gives something back.
extension LiveKitServer {
  mutating func boost(at now: SimTime) {
    var room = committed - usage
    guard room > 0 else { return }
    while room > 0, let (place, layer) = nextBoost(within: room) {
      room -= tracks[place].rate(layer) - tracks[place].rate(tracks[place].target)
      tracks[place].raise(to: layer)
    }
    adjustState(at: now)
  }

  private func nextBoost(within room: Int64) -> (place: Int, layer: LayerID)? {
    for place in neediestFirst() {
      if let layer = tracks[place].step(within: room) { return (place, layer) }
    }
    return nil
  }

  /// Deficient tracks by priority, then the one furthest from what is subscribed first.
  func neediestFirst() -> [Int] {
    tracks.indices.filter { tracks[$0].isDeficient }.sorted { a, b in
      let (a, b) = (tracks[a], tracks[b])
      if a.priority != b.priority { return a.priority > b.priority }
      let (aDistance, bDistance) = (a.distance, b.distance)
      return aDistance == bDistance ? a.source < b.source : aDistance > bDistance
    }
  }
}

extension ServerTrack {
  /// The next measured layer above the target, if it fits.
  fileprivate func step(within room: Int64) -> LayerID? {
    guard let maximum, let next = lowestAbove(target, upTo: maximum) else { return nil }
    return rate(next) - rate(target) <= room ? next : nil
  }

  fileprivate mutating func raise(to layer: LayerID) {
    let rate = rate(layer)
    settle(on: layer, rate: rate, isDeficient: rate < highestRate(upTo: maximum), by: .boost)
  }

  /// The first of ``layersAbove(_:upTo:overshoots:)``.
  func lowestAbove(_ layer: LayerID?, upTo maximum: LayerID) -> LayerID? {
    for encoding in layers.rates.indices where encoding <= maximum.encoding {
      for temporal in layers.rates[encoding].indices where temporal <= maximum.temporal {
        let above = LayerID(encoding: encoding, temporal: temporal)
        if layers.rates[encoding][temporal] > .zero, layer.isBelow(above) { return above }
      }
    }
    return nil
  }

  /// Measured layers above one: of its encoding, then of higher ones; beyond the subscribed encoding only on request.
  func layersAbove(_ layer: LayerID?, upTo maximum: LayerID, overshoots: Bool = false) -> [LayerID] {
    let within = measured(upTo: maximum).filter { layer.isBelow($0) }
    guard overshoots else { return within }
    let top = LayerID(encoding: .max, temporal: .max)
    return within + measured(upTo: top).filter { $0.encoding > maximum.encoding }
  }
}
