import Allocation
import Ladder
import Quantity
import Systems

/// A source in the server's allocation to one viewer.
struct ServerTrack: Sendable {
  /// Rules, named after their files.
  enum Rule: String {
    case optimal = "ServerTrack+Optimal"
    case allocateAll = "LiveKitServer+AllocateAll"
    case cooperative = "LiveKitServer+Cooperative"
    case boost = "LiveKitServer+Boost"
  }

  let source: Int
  /// Priority, 1 to 255.
  var priority = 1
  /// Highest layer that the viewer subscribes to.
  var maximum: LayerID?
  /// Set while the viewer has disabled the track, or its publisher has muted it.
  var isMuted = false
  private var hiding = TrackHiding()
  /// Set if the track gets its optimal layer whatever the bandwidth: a screen share with one encoding
  /// (`Track.IsManaged`).
  private(set) var isExempt = false
  /// Set if the encodings are layers of one stream; the server then sends none beyond the subscribed one.
  private(set) var isScalable = false
  var layers = TrackLayers()
  /// Layer being forwarded.
  var current: LayerID?
  /// Layer to be forwarded.
  private(set) var target: LayerID?
  /// Encoding of which a key frame is requested.
  private(set) var request: Int?
  private(set) var isDeficient = false
  private(set) var rule = Rule.optimal
  /// Rate of the last target when it was chosen [bit/s].
  private var requestedRate: Int64 = 0
  /// Layer under consideration.
  var candidate: LayerID?

  init(source: Int) { self.source = source }

  mutating func subscribe(_ wish: Subscription) {
    hiding.apply(wish)
    // Settings that disable a track change nothing else.
    if wish.visibility == .onScreen || maximum == nil {
      let selected = wish.published == nil ? nil : wish.demand.selected
      maximum = wish.bestWithinRequest?.id ?? selected ?? wish.ladder.first?.id
    }
    isMuted = wish.absence != nil || hiding.isDisabled
    isScalable = wish.scalability != nil
    isExempt = wish.isScreenShare && !wish.ladder.contains { $0.id.encoding > 0 }
    priority = wish.numericPriority ?? (wish.priority == .high ? 255 : 1)
  }

  /// Checks whether a subscription that disables the track is ignored.
  func ignoresHiding(by wish: Subscription) -> Bool {
    wish.visibility != .onScreen && !hiding.isDisabled(by: wish)
  }

  // MARK: Rates [bit/s]

  func rate(_ layer: LayerID?) -> Int64 { layer.map { layers[$0] } ?? 0 }

  /// Rate of the target, as measured now or, if unmeasured, when it was chosen.
  var usage: Int64 {
    let rate = rate(target)
    return rate > 0 ? rate : requestedRate
  }

  /// Returns the rate of the highest layer up to a limit.
  func highestRate(upTo limit: LayerID?) -> Int64 {
    guard !isMuted, layers.highestSeen != nil, let limit else { return 0 }
    return rate(layers.highest(upTo: limit))
  }

  /// Returns what keeps a deficient track from its next layer: the capacity, or, where that would carry the layer, the
  /// server's wait for a probe; `nil` for any other track.
  ///
  /// - Parameter headroom: capacity left over by all tracks together [bit/s].
  func hindrance(headroom: Int64) -> (limitation: Limitation, missing: BitRate)? {
    guard isDeficient else { return nil }
    guard let maximum, let next = layers.lowest(above: target, upTo: maximum) else {
      return (.bandwidth, .zero)
    }
    let missing = rate(next) - usage - headroom
    return missing > 0 ? (.bandwidth, BitRate(bitsPerSecond: missing)) : (.hold, .zero)
  }

  // MARK: Decisions

  /// Makes a layer the new target.
  ///
  /// - Parameter encoding: encoding of which a key frame is requested; `nil` for the layer's.
  mutating func settle(
    on layer: LayerID?, request encoding: Int? = nil, rate: Int64, isDeficient: Bool, by rule: Rule
  ) {
    target = layer
    request = encoding ?? layer?.encoding
    // Temporal layers change at once.
    if let layer, layer.encoding == current?.encoding { current = layer }
    requestedRate = rate
    self.isDeficient = isDeficient
    self.rule = rule
    if isMuted { hiding.isPaused = false } else if isDeficient, layer == nil { hiding.isPaused = true }
  }

  /// Follows the forwarder's change to an encoding beyond the subscribed one or to the best that arrives, which becomes
  /// the target.
  mutating func noteForwarded(_ layer: LayerID?) {
    current = layer
    if layer != nil { hiding.isPaused = false }
    guard let layer, let target, let maximum, layer.encoding != target.encoding,
      layer.encoding >= maximum.encoding || layer.encoding == layers.highestSeen
    else { return }
    self.target?.encoding = layer.encoding
  }

  /// Distance of the target from the subscribed layer, in encodings.
  var distance: Double {
    guard !isMuted, let maximum, let seen = layers.highestSeen, let temporalSeen = layers.highestTemporalSeen
    else { return 0 }
    var best = maximum
    best.encoding = min(
      best.encoding, seen, max(layers.highestEncoding ?? -1, layers.highestAvailable ?? -1))
    if best.encoding < 0 {
      best = LayerID(encoding: 0, temporal: 0)
    } else {
      best.temporal = min(
        best.temporal, temporalSeen, layers.highestTemporal(of: best.encoding) ?? temporalSeen)
    }
    let from = target ?? LayerID(encoding: 0, temporal: 0)
    let steps = temporalSeen + 1
    let distance =
      (best.encoding - from.encoding) * steps + (best.temporal - from.temporal) + (target == nil ? steps : 0)
    return Double(distance) / Double(steps)
  }
}
