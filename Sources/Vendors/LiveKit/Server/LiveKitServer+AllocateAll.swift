import Allocation
import Ladder
import Quantity
import Systems

/// Allocation of the capacity to all tracks, layer by layer: on congestion, when the capacity falls, and when
/// priorities change.
extension LiveKitServer {
  mutating func allocateAll(at now: SimTime) {
    var margin = BudgetMargin()
    tracks.allocateAll(within: committed, allowsPause: parameters.allowsPause, &margin)
    adjustState(at: now)
  }
}

extension [ServerTrack] {
  /// Allocates a capacity to all tracks.
  ///
  /// - Parameter capacity: capacity for all tracks [bit/s].
  /// - Returns: the indices of all tracks, ``mostImportantFirst()``.
  @discardableResult
  mutating func allocateAll(
    within capacity: Int64, allowsPause: Bool, _ margin: inout BudgetMargin
  ) -> [Int] {
    let all = mostImportantFirst()
    let order = all.filter { !self[$0].isExempt }
    let layers = layersInOrder()
    var room = capacity
    var tracks = mutableSpan
    for place in tracks.indices where tracks[place].isExempt {
      tracks[place].allocateOptimal()
      room = Swift.max(0, room - tracks[place].usage)
    }
    for place in order { tracks[place].candidate = nil }
    if margin.fits(1, within: room) || !allowsPause {
      for layer in layers {
        for place in order {
          let more = tracks[place].consider(layer, within: room, allowsPause: allowsPause, &margin)
          room = Swift.max(0, room - more)
        }
      }
    }
    for place in order { tracks[place].settleOnCandidate(by: .allocateAll) }
    return all
  }

  /// Total rate of all targets [bit/s].
  var usage: Int64 {
    var usage: Int64 = 0
    for place in indices { usage += self[place].usage }
    return usage
  }

  /// Lists the layers of all tracks in the order in which they are offered: by encoding, then by temporal layer.
  func layersInOrder() -> [LayerID] {
    var encodings = 0
    var temporals = 0
    for place in indices {
      encodings = Swift.max(encodings, self[place].layers.encodings)
      temporals = Swift.max(temporals, self[place].layers.temporals)
    }
    var layers: [LayerID] = []
    layers.reserveCapacity(encodings * temporals)
    for encoding in 0..<encodings {
      for temporal in 0..<temporals { layers.append(LayerID(encoding: encoding, temporal: temporal)) }
    }
    return layers
  }

  /// Orders the tracks by priority, then by the subscribed layer.
  func mostImportantFirst() -> [Int] {
    // One number per track, lower for more important tracks; equal tracks keep the order of their sources.
    let keys = indices.map { place in
      let subscribed = self[place].maximum.map { 1 + $0.encoding << 8 + $0.temporal } ?? 0
      return (255 - self[place].priority) << 48 | (0xffff - subscribed) << 32 | place
    }
    return keys.sorted().map { $0 & 0xffff_ffff }
  }
}

extension ServerTrack {
  /// Takes a layer as the candidate if it fits or, where pauses are not allowed, as the lowest that has to be sent.
  ///
  /// - Parameter room: remaining capacity, excluding the candidate's current rate [bit/s].
  /// - Returns: the additional rate of the candidate [bit/s].
  mutating func consider(
    _ layer: LayerID, within room: Int64, allowsPause: Bool, _ margin: inout BudgetMargin
  ) -> Int64 {
    guard !isMuted, layers.highestSeen != nil, let maximum, !(maximum < layer) else { return 0 }
    let rate = rate(layer)
    guard rate > 0 else { return 0 }
    let has = self.rate(candidate)
    let isForced = !allowsPause && (candidate.map { !($0 < layer) } ?? true)
    guard margin.fits(rate, within: room + has) || isForced else { return 0 }
    candidate = layer
    return rate - has
  }

  /// Makes the candidate the target.
  mutating func settleOnCandidate(by rule: Rule) {
    let optimum = highestRate(upTo: maximum)
    if optimum == 0, candidate == nil {
      // Nothing arrives; the layer being forwarded may come back.
      let stays = current.flatMap { current in maximum.map { current.encoding <= $0.encoding } } ?? false
      settle(on: isMuted || !stays ? nil : current, rate: 0, isDeficient: false, by: rule)
      return
    }
    let rate = rate(candidate)
    let isAbove = candidate.flatMap { candidate in maximum.map { candidate > $0 } } ?? false
    settle(on: candidate, rate: rate, isDeficient: !isMuted && !isAbove && rate < optimum, by: rule)
  }
}

extension LayerID? {
  /// Checks whether the layer is lower than another; `nil` is lower than any layer.
  func isBelow(_ other: LayerID?) -> Bool {
    guard let other else { return false }
    return map { $0 < other } ?? true
  }
}
