import Quantity

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Raises the delay-based estimate while the path is quiet and cuts it when a queue grows (libwebrtc
/// `aimd_rate_control.cc`).
package struct AIMDRateControl: Sendable {
  private enum State { case hold, increase, decrease }

  static let backoff = 0.85
  static let growthPerSecond = 1.08
  private static let headroom = 1.5
  private static let headroomOffset = 10.0
  private static let decreaseOffset = 5.0
  private static let leastIncrease = 1.0
  private static let leastSlope = 4.0
  private static let reactionTime = 0.1
  private static let frameTime = 1.0 / 30
  private static let largestPacket = 1200.0 * 8 / 1000

  /// The estimate [kbit/s].
  package private(set) var estimate: Double
  private var throughput: Double
  private var state = State.hold
  private(set) var capacity = LinkCapacityEstimate()
  private var changedAt: Int64?
  /// [s]
  package var roundTrip = 0.2
  var minimum: Double

  package init(start: Double, minimum: Double) {
    estimate = start
    throughput = start
    self.minimum = minimum
  }

  /// Whether another cut is due: a round trip after the last change, or at once when far less arrives than is sent.
  package func mayReduce(acknowledged: Double, at now: Int64) -> Bool {
    isReductionDue(at: now) || acknowledged < estimate / 2
  }

  /// Whether the estimate may be halved while nothing is known of what arrives: every 200 ms.
  func mayHalve(at now: Int64) -> Bool { changedAt.map { now - $0 >= 200_000_000 } ?? true }

  private func isReductionDue(at now: Int64) -> Bool {
    guard let changedAt else { return true }
    return now - changedAt >= Int64(min(max(roundTrip, 0.01), 0.2) * 1e9)
  }

  /// Sets the estimate to what a probe has shown.
  mutating func set(_ rate: Double, at now: Int64) {
    estimate = max(rate, minimum)
    changedAt = now
  }

  package mutating func update(_ usage: BandwidthUsage, acknowledged: Double?, at now: Int64) {
    let acknowledged = acknowledged ?? throughput
    throughput = acknowledged
    switch usage {
    case .underusing: state = .hold
    case .overusing: state = .decrease
    case .normal:
      if state == .hold {
        changedAt = now
        state = .increase
      }
    }
    switch state {
    case .hold: break
    case .increase: increase(acknowledged, at: now)
    case .decrease: decrease(acknowledged, at: now)
    }
    estimate = max(estimate, minimum)
  }

  private mutating func increase(_ acknowledged: Double, at now: Int64) {
    if acknowledged > capacity.upperBound { capacity.reset() }
    let limit = Self.headroom * acknowledged + Self.headroomOffset
    // The limit binds new values; a higher one that was reached before stays.
    if estimate < limit {
      let elapsed = changedAt.map { Double(now - $0) / 1e9 }
      let step: Double
      if capacity.mean != nil {
        step = slope * (elapsed ?? 0)
      } else {
        let factor = pow(Self.growthPerSecond, min(elapsed ?? 1, 1))
        step = max(estimate * (factor - 1), Self.leastIncrease)
      }
      estimate = min(estimate + step, limit)
    }
    changedAt = now
  }

  /// Additive increase near the link's capacity [kbit/s each second]: about a packet in twice the response time.
  package var slope: Double {
    let frame = estimate * Self.frameTime
    let packets = (frame / Self.largestPacket).rounded(.up)
    let packet = frame / max(packets, 1)
    return max(Self.leastSlope, packet / (2 * (roundTrip + Self.reactionTime)))
  }

  private mutating func decrease(_ acknowledged: Double, at now: Int64) {
    var reduced = Self.backoff * acknowledged
    if reduced > Self.decreaseOffset { reduced -= Self.decreaseOffset }
    if reduced > estimate, let mean = capacity.mean { reduced = Self.backoff * mean }
    estimate = min(estimate, reduced)
    if acknowledged < capacity.lowerBound { capacity.reset() }
    capacity.overuse(at: acknowledged)
    state = .hold
    changedAt = now
  }
}
