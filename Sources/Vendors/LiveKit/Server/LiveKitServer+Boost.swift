import Ladder
import Quantity
import Systems

/// Allocation of free capacity to deficient tracks, one layer at a time: after a probe, and when a track gives capacity
/// back.
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

  /// Orders deficient tracks by priority, then by distance from the subscribed layer, furthest first.
  func neediestFirst() -> [Int] {
    let needs = tracks.indices.filter { tracks[$0].isDeficient }.map { need(of: $0) }
    return needs.sorted { a, b in
      if a.priority != b.priority { return a.priority > b.priority }
      return a.distance == b.distance ? a.place < b.place : a.distance > b.distance
    }.map(\.place)
  }

  /// Returns the sort keys of a track; equal tracks keep the order of their sources.
  func need(of place: Int) -> (place: Int, priority: Int, distance: Double) {
    (place, tracks[place].priority, tracks[place].distance)
  }
}

extension ServerTrack {
  /// Returns the next measured layer above the target, if it fits.
  fileprivate func step(within room: Int64) -> LayerID? {
    guard let maximum, let next = layers.lowest(above: target, upTo: maximum) else { return nil }
    return rate(next) - rate(target) <= room ? next : nil
  }

  fileprivate mutating func raise(to layer: LayerID) {
    let rate = rate(layer)
    settle(on: layer, rate: rate, isDeficient: rate < highestRate(upTo: maximum), by: .boost)
  }

  /// Lists the measured layers above a given one, including those beyond the subscribed encoding: first those of its
  /// encoding, then those of higher ones.
  func layersAbove(_ layer: LayerID?, upTo maximum: LayerID) -> [LayerID] {
    let top = LayerID(encoding: .max, temporal: .max)
    return layers.measured(upTo: maximum).filter { layer.isBelow($0) }
      + layers.measured(upTo: top).filter { $0.encoding > maximum.encoding }
  }
}
