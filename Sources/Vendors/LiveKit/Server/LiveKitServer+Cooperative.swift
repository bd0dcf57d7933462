import Allocation
import CongestionControl
import Ladder
import Quantity
import Systems

/// Allocation of a track that changes while others are deficient: it gives capacity back, uses free capacity, or takes
/// the layers that others can best spare.
extension LiveKitServer {
  /// Allocates a track that has changed.
  mutating func allocate(_ place: Int, at now: SimTime) {
    stopProbe(at: now)
    if state == .stable && congestion != .congested || tracks[place].isExempt {
      tracks[place].allocateOptimal(holds: congestion == .earlyWarning)
      adjustState(at: now)
      return
    }
    let from = tracks[place].target
    let to = tracks[place].cooperativeLayer
    if to.isBelow(from) {
      tracks[place].candidate = to
      tracks[place].settleOnCandidate(by: .cooperative)
      adjustState(at: now)
      boost(at: now)
      return
    }
    guard from != to else { return }
    if fill(place) {
      adjustState(at: now)
      return
    }
    tracks[place].candidate = to
    takeFromOthers(for: place, from: from)
    adjustState(at: now)
  }

  /// Lets a track climb within the free capacity. Each step is compared with the whole free capacity, as in LiveKit.
  ///
  /// - Returns: `true` if some layer fits.
  private mutating func fill(_ place: Int) -> Bool {
    let room = committed - (usage - tracks[place].usage)
    guard room > 0 else { return false }
    tracks[place].candidate = nil
    var margin = BudgetMargin()
    for layer in tracks.layersInOrder() {
      let before = tracks[place].candidate
      let taken = tracks[place].consider(layer, within: room, allowsPause: parameters.allowsPause, &margin)
      guard taken <= room else {
        tracks[place].candidate = before
        break
      }
    }
    guard let best = tracks[place].candidate else { return false }
    if tracks[place].target.isBelow(best) { tracks[place].settleOnCandidate(by: .cooperative) }
    return true
  }

  /// Starts a track with the capacity that the others can spare, beginning with those closest to their subscribed
  /// layers.
  private mutating func takeFromOthers(for place: Int, from: LayerID?) {
    let needed = tracks[place].rate(tracks[place].candidate) - tracks[place].usage
    var acquired: Int64 = 0
    var donors: [Int] = []
    for donor in leastNeedyFirst() where donor != place && acquired < needed {
      let offer = tracks[donor].bestOffer(encodingCost: parameters.encodingCost)
      guard offer.saved > 0 else { continue }
      tracks[donor].candidate = offer.layer
      donors.append(donor)
      acquired += offer.saved
    }
    if acquired >= needed {
      for donor in donors { tracks[donor].settleOnCandidate(by: .cooperative) }
    } else if parameters.allowsPause {
      tracks[place].candidate = nil
    }
    tracks[place].settleOnCandidate(by: .cooperative)
  }

  /// Orders the tracks by priority, lowest first, then by distance from the subscribed layer, closest first.
  private func leastNeedyFirst() -> [Int] {
    let needs = tracks.indices.filter { !tracks[$0].isExempt }.map { need(of: $0) }
    return needs.sorted { a, b in
      if a.priority != b.priority { return a.priority < b.priority }
      return a.distance == b.distance ? a.place < b.place : a.distance < b.distance
    }.map(\.place)
  }
}

extension ServerTrack {
  /// Target that does not burden the other tracks: none for a muted track, otherwise the current target or the highest
  /// available below it; the lowest for a track that starts.
  fileprivate var cooperativeLayer: LayerID? {
    guard !isMuted, let maximum else { return nil }
    if let target, let best = layers.highest(upTo: maximum) {
      if target > best { return best }
      if rate(target) > 0 { return target }
    }
    return (target == nil ? layers.lowest(above: nil, upTo: maximum) : nil) ?? current
  }

  /// Returns the lower layer that saves the most for its loss in quality.
  ///
  /// - Parameter encodingCost: cost of changing the encoding, which needs a key frame.
  fileprivate func bestOffer(encodingCost: Int) -> (layer: LayerID?, saved: Int64) {
    let measured = maximum.map { layers.measured(upTo: $0) } ?? []
    guard !isMuted, let target else { return (nil, usage) }
    guard let topTemporal = measured.map(\.temporal).max() else { return (current, usage) }
    var best: (layer: LayerID?, saved: Int64, value: Float) = (nil, 0, 0)
    for encoding in 0...target.encoding {
      for temporal in 0...target.temporal
      where LayerID(encoding: encoding, temporal: temporal) != target {
        let layer = LayerID(encoding: encoding, temporal: temporal)
        let saved = max(0, usage - rate(layer))
        let cost =
          (encoding == target.encoding ? 0 : encodingCost)
          + (topTemporal + 1) * (target.encoding - encoding) + target.temporal - temporal
        let value = cost == 0 ? 0 : Float(saved) / Float(cost)
        guard value > best.value || value == best.value && saved > best.saved else { continue }
        best = (layer, saved, value)
      }
    }
    return (best.layer, best.saved)
  }
}
