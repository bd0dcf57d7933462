package import Allocation
package import CongestionControl
import Ladder
package import Quantity
package import Systems

/// Times at which mediasoup distributes an estimate (`TransportCongestionControlClient::MayEmitAvailableBitrateEvent`):
/// the first at once, then one per second, whether or not it has changed, and any that differs much from the previous
/// one. Every distribution updates the estimator's bounds.
package struct MediasoupSchedule: ServerSchedule {
  private let parameters: MediasoupParameters
  private var bounds: MediasoupBounds
  /// Number of active consumers at the last distribution.
  private var consumers = 0
  /// Set once there has been an active consumer.
  private var hasConsumed = false
  /// Estimate in use; `nil` before the first.
  private var available: BitRate?
  private var distributedAt: SimTime?
  /// Set if the last estimate was ignored.
  private var isBehind = false

  package init(_ parameters: MediasoupParameters = MediasoupParameters()) {
    self.parameters = parameters
    bounds = MediasoupBounds(parameters)
  }

  package mutating func receive(_ estimate: BitRate, allocated: BitRate, at now: SimTime) -> Bool {
    guard let previous = available else {
      available = estimate
      distributedAt = now
      return true
    }
    isBehind = estimate == parameters.initialEstimate && estimate != previous
    guard estimate != parameters.initialEstimate else { return false }
    available = estimate
    guard isDue(at: now) || isFar(estimate, from: previous) else { return false }
    distributedAt = now
    return true
  }

  package mutating func noteDecision(at now: SimTime) { distributedAt = now }

  package mutating func commands(on state: AllocationState, at now: SimTime) -> [SenderCommand] {
    let active = state.subscriptions.filter(\.isConsumed)
    let desired = active.reduce(BitRate.zero) { $0 + $1.desired }
    // The estimator is created with the first consumer.
    guard hasConsumed || !active.isEmpty else { return [] }
    hasConsumed = true
    defer { consumers = active.count }
    return [bounds.follow(desired: desired, isForced: active.count < consumers, at: now)]
  }

  /// A new priority waits for the next distribution (`Consumer.cpp`, CONSUMER_SET_PRIORITY).
  package func reacts(to wish: Subscription, after before: Subscription) -> Bool {
    var (wish, before) = (wish.withoutLayers, before.withoutLayers)
    wish.numericPriority = nil
    before.numericPriority = nil
    return wish != before
  }

  package var dueAt: SimTime? { distributedAt.map { $0 + parameters.distributionSpacing } }

  /// Keeps using the previous estimate if the last one was ignored.
  package func complete(_ state: inout AllocationState, queued: ByteCount, at now: SimTime) {
    if isBehind, let available { state.budget = available }
  }

  private func isDue(at now: SimTime) -> Bool {
    distributedAt.map { now - $0 >= parameters.distributionSpacing } ?? true
  }

  private func isFar(_ estimate: BitRate, from previous: BitRate) -> Bool {
    let thousand: Int64 = 1000
    let fall = Int64((parameters.fallShare.value * 1e6).rounded())
    let rise = Int64((parameters.riseFactor * 1000).rounded())
    return Self.isProduct(estimate, thousand * thousand, below: previous, fall)
      || Self.isProduct(previous, rise, below: estimate, thousand)
  }

  private static func isProduct(_ a: BitRate, _ b: Int64, below c: BitRate, _ d: Int64) -> Bool {
    Int128(a.bitsPerSecond) * Int128(b) < Int128(c.bitsPerSecond) * Int128(d)
  }
}

extension MeasuredSubscription {
  /// Maximum rate that the consumer could use: for `S` modes that of all layers, as if the upper ones depended on the
  /// lower.
  fileprivate var desired: BitRate {
    if let followingRate { return followingRate }
    guard wish.scalability?.prediction == ScalabilityMode.Prediction.none else {
      return layers.map(\.bitrate).max() ?? .zero
    }
    let top = layers.last?.id.encoding ?? 0
    return (0...top).reduce(.zero) { sum, encoding in
      sum + (layers.filter { $0.id.encoding == encoding }.map(\.bitrate).max() ?? .zero)
    }
  }

  /// `true` if the consumer is not paused and at least one of its streams arrives (`Consumer::IsActive`).
  var isConsumed: Bool {
    wish.absence == nil && wish.visibility == .onScreen && layers.contains { $0.bitrate > .zero }
  }
}
