import Allocation
import Ladder
import Quantity
import Systems

/// One consumer during the distribution of the bit rate (`SimulcastConsumer::IncreaseLayer`, `SimpleConsumer`).
///
/// The clocks of two streams are assumed to be aligned; upstream waits for their first sender reports to align them.
struct MediasoupConsumer {
  /// An encoding and its current state of arrival.
  private struct Stream {
    var encoding: Int
    /// Range of its layers among all layers.
    var layers: Range<Int>
    var isAlive = false
    /// Set if it has been arriving for less than the required age.
    var isYoung: Bool
  }

  /// A layer, by the index of its stream and its index among all layers.
  private struct Place {
    var stream: Int
    var layer: Int
  }

  private struct Step {
    var place: Place
    /// Additional bit rate [bit/s].
    var cost: Int64
  }

  let priority: Int
  let isActive: Bool
  /// Set once the consumer takes no further steps.
  private(set) var isDone = false

  private let layers: [Layer]
  private let streams: [Stream]
  private let current: LayerID?
  private let target: LayerID?
  /// Set if the consumer is old enough for a downgrade.
  private let isOld: Bool
  private let climbsPastDeadPreferred: Bool
  /// Share by which a step may exceed what is left with REMB [1/1,000,000]; `nil` without REMB.
  private let bonus: Int64?
  private let preferred: LayerID
  /// Set if there is only one layer, which is then forwarded whatever is left.
  private let isSimple: Bool
  /// Mode of a stream of several spatial layers; `nil` for simulcast.
  private let scalability: ScalabilityMode?
  /// Highest encoding to climb to for now, -1 for none; `nil` for any.
  private let bound: Int?
  private var granted: Place?
  /// Remainder that the step that did not fit would have needed [bit/s]; `nil` if no step failed for that reason.
  private var needed: Int64?

  init(_ subscription: borrowing MeasuredSubscription, _ parameters: MediasoupParameters) {
    layers = subscription.layers
    scalability = subscription.wish.scalability
    current = subscription.current
    target = subscription.target
    climbsPastDeadPreferred = parameters.climbsPastDeadPreferred
    bonus = parameters.remb ? parameters.rembBonusMillionths : nil
    var streams: [Stream] = []
    streams.reserveCapacity(3)
    for (index, layer) in layers.enumerated() {
      if streams.last?.encoding != layer.id.encoding {
        let age = subscription.age(of: layer.id.encoding)
        streams.append(
          Stream(
            encoding: layer.id.encoding, layers: index..<index,
            isYoung: scalability == nil && age.map { $0 < parameters.streamAge } ?? false))
      }
      streams[streams.count - 1].layers = streams[streams.count - 1].layers.lowerBound..<index + 1
      if layer.bitrate > .zero { streams[streams.count - 1].isAlive = true }
    }
    self.streams = streams
    isOld = subscription.age.map { $0 > parameters.downgradeAge } ?? true
    isSimple = layers.count == 1 && subscription.wish.ladder.count <= 1
    let top = max(layers.last?.id.encoding ?? 0, subscription.wish.ladder.last?.id.encoding ?? 0)
    let ceiling = subscription.wish.demand.ceiling ?? LayerID(encoding: top, temporal: .max)
    let highest = layers.lazy.map(\.id.temporal).max() ?? 0
    preferred = LayerID(encoding: min(ceiling.encoding, top), temporal: min(ceiling.temporal, highest))
    let isHeld = subscription.sinceDowngrade.map { $0 < parameters.conservativeTime } ?? false
    bound = isHeld ? current?.encoding ?? -1 : nil
    priority = subscription.wish.numericPriority ?? 1
    isActive = subscription.isConsumed
  }

  // MARK: Steps

  /// Takes the next layer if its cost fits.
  ///
  /// - Returns: its cost [bit/s], which with REMB may exceed what is left; `nil` if no step is possible, now or later,
  ///   since what is left never grows.
  mutating func increase(within left: Int64, _ margin: inout BudgetMargin) -> Int64? {
    guard !isDone, let step = step(after: granted, waits: true) else {
      isDone = true
      return nil
    }
    guard isSimple || margin.fits(leastLeft(for: step.cost), within: left) else {
      isDone = true
      needed = leastLeft(for: step.cost)
      return nil
    }
    granted = step.place
    return step.cost
  }

  /// Returns the minimum that has to be left for a cost [bit/s].
  private func leastLeft(for cost: Int64) -> Int64 {
    guard let bonus else { return cost }
    let factor = Int128(1_000_000 + bonus)
    return Int64(clamping: (Int128(cost) * 1_000_000 + factor - 1) / factor)
  }

  /// Returns the next layer, regardless of its cost.
  private func step(after place: Place?, waits: Bool) -> Step? {
    if let place, layers[place.layer].id == preferred { return nil }
    let first = place?.stream ?? 0
    for index in first..<max(first, streams.count) {
      let stream = streams[index]
      if !climbsPastDeadPreferred, stream.encoding > preferred.encoding { return nil }
      if waits, let bound, place != nil, stream.encoding > bound { return nil }
      guard stream.isAlive else { continue }
      if waits, let place, index != place.stream, stream.isYoung, !streams[place.stream].isYoung { continue }
      let next = place.flatMap { index == $0.stream ? $0.layer + 1 : nil } ?? stream.layers.lowerBound
      if stream.layers.contains(next) {
        let cost = cost(of: next, in: stream, after: place)
        if cost > 0 { return Step(place: Place(stream: index, layer: next), cost: cost) }
      }
      if stream.encoding >= preferred.encoding { return nil }
    }
    return nil
  }

  /// Returns the cost of a layer: its own rate; for the lowest layer of a higher stream, its rate beyond that of
  /// everything it replaces, at least 1; zero for a layer that does not arrive.
  ///
  /// Spatial layers replace lower ones only in K-SVC (`SvcConsumer::IncreaseLayer`), judged by the mode's name; those
  /// of `S` modes are added up like the others.
  private func cost(of layer: Int, in stream: Stream, after place: Place?) -> Int64 {
    let rate = layers[layer].bitrate.bitsPerSecond
    guard rate > 0 else { return 0 }
    if let scalability, scalability.prediction != .keyPictures { return ownRate(of: layers[layer].id) }
    guard layer == stream.layers.lowerBound else {
      return max(0, rate - layers[layer - 1].bitrate.bitsPerSecond)
    }
    return place.map { max(1, rate - layers[$0.layer].bitrate.bitsPerSecond) } ?? rate
  }

  /// Returns the rate of a layer's own packets, for streams in which those of lower layers are sent too.
  private func ownRate(of id: LayerID) -> Int64 {
    func rate(_ encoding: Int, _ temporal: Int) -> Int64 {
      layers.first { $0.id == LayerID(encoding: encoding, temporal: temporal) }?.bitrate.bitsPerSecond ?? 0
    }
    let step = rate(id.encoding, id.temporal) - rate(id.encoding, id.temporal - 1)
    guard scalability?.prediction == .full else { return max(0, step) }
    return max(0, step - rate(id.encoding - 1, id.temporal) + rate(id.encoding - 1, id.temporal - 1))
  }

  // MARK: Decision

  func decision(rank: Int, left: Int64) -> SourceDecision {
    guard isActive else {
      return SourceDecision(layer: nil, ideal: nil, rank: rank, rule: Self.rule)
    }
    let layer = granted.map { layers[$0.layer].id }
    let ideal = summit.map { layers[$0.layer].id }
    var decision = SourceDecision(layer: layer, ideal: ideal, rank: rank, rule: Self.rule)
    if layer != ideal {
      decision.hindrance = needed == nil ? Self.hold : .bandwidth
      decision.missing = BitRate(bitsPerSecond: needed.map { $0 - left } ?? 0)
    }
    decision.isDowngrade = isDowngrade(to: layer)
    return decision
  }

  private static let rule = "MediasoupRule"
  /// Reason why a consumer is below its ideal while it waits.
  private static let hold = Limitation.hold

  /// Layer that the consumer would reach with an unlimited budget and without waiting.
  private var summit: Place? {
    let hasWaits = bound != nil || streams.contains { $0.isYoung }
    var place = hasWaits ? nil : granted
    while let step = step(after: place, waits: false) { place = step.place }
    return place
  }

  /// Checks whether a new target looks as if a lack of bandwidth had lowered it (`ApplyLayers`). A pause does not
  /// count.
  private func isDowngrade(to layer: LayerID?) -> Bool {
    guard let layer, layer != target, let current else { return false }
    return layer.encoding < current.encoding && current.encoding <= preferred.encoding && isOld
  }
}
