package import Quantity

/// Parameters of the AIMD rate control (`aimd_rate_control.cc`), which both the send and the receive side use.
package struct AIMDParameters: Hashable, Sendable {
  /// Multiplicative decrease, applied to the acknowledged rate on overuse.
  package var decreaseFactor = 0.85
  /// Reserve taken off a decreased rate, so that the queue drains.
  package var drainReserve = BitRate.kilobits(5)
  /// Multiplicative increase per second while the link capacity is unknown.
  package var increaseFactor = 1.08
  /// Multiple of the acknowledged rate that, plus ``increaseAllowance``, limits increases.
  package var acknowledgedFactor = 1.5
  /// Rate added to the limit of increases.
  package var increaseAllowance = BitRate.kilobits(10)
  /// Round trip before the first measurement.
  package var defaultRoundTrip = SimDuration.milliseconds(200)
  /// Lower bound of the minimum interval between decreases, which is one round trip.
  package var shortestDecreaseInterval = SimDuration.milliseconds(10)
  /// Upper bound of the minimum interval between decreases.
  package var longestDecreaseInterval = SimDuration.milliseconds(200)
  /// Minimum additive increase per second.
  package var minimumAdditiveIncrease = BitRate.kilobits(4)
  /// Estimate before any measurement.
  package var unknownEstimate = BitRate.megabits(30)
  /// Computes growth near the capacity from whole bytes, and rounds it and the capacity's bounds down, as libwebrtc
  /// does; otherwise both are rounded to the nearest bit/s.
  package var roundsDown = false

  package init() {}
}

/// Additive increase, multiplicative decrease: converts the bandwidth usage to a rate (libwebrtc's
/// `aimd_rate_control.cc`).
package struct AIMDRateControl: Sendable {
  /// Origin of the current estimate.
  package enum Origin: UInt8, BitwiseCopyable, Sendable {
    case start
    /// Delay-based bandwidth usage.
    case delay
    /// Limit of ``AIMDParameters/acknowledgedFactor`` times the acknowledged rate.
    case acknowledged
    case probe
  }

  private enum State: UInt8, BitwiseCopyable, Sendable { case hold, increase, decrease }

  private let parameters: AIMDParameters
  private var minimum: BitRate
  private var state = State.hold
  private var capacity: LinkCapacityEstimate
  private var lastThroughput: BitRate
  private var changedAt: SimTime?
  private var firstThroughputAt: SimTime?

  package private(set) var estimate: BitRate
  /// Set once the estimate is based on a start rate or a measurement.
  package private(set) var isInitialized = false
  package private(set) var origin = Origin.start
  package var roundTrip: SimDuration

  package init(parameters: AIMDParameters = .init(), minimum: BitRate = .kilobits(5)) {
    self.parameters = parameters
    self.minimum = minimum
    capacity = LinkCapacityEstimate(roundsDown: parameters.roundsDown)
    estimate = parameters.unknownEstimate
    lastThroughput = estimate
    roundTrip = parameters.defaultRoundTrip
  }

  /// `true` while increases are additive because the link capacity is known.
  package var isNearCapacity: Bool { capacity.rate != nil }

  package mutating func start(at rate: BitRate) {
    estimate = rate
    lastThroughput = rate
    isInitialized = true
    origin = .start
  }

  package mutating func setMinimum(_ minimum: BitRate) {
    self.minimum = minimum
    estimate = max(estimate, minimum)
  }

  /// Sets the estimate to a measured rate, such as a probe result.
  package mutating func set(_ rate: BitRate, origin: Origin, at now: SimTime) {
    isInitialized = true
    estimate = max(rate, minimum)
    self.origin = origin
    changedAt = now
  }

  /// Checks whether a further decrease is allowed now.
  package func mayDecrease(throughput: BitRate, at now: SimTime) -> Bool {
    let interval = roundTrip.clamped(parameters.shortestDecreaseInterval, parameters.longestDecreaseInterval)
    guard let changedAt, now - changedAt < interval else { return true }
    return isInitialized && throughput < estimate.scaled(by: 0.5)
  }

  /// Updates the estimate from the bandwidth usage and the acknowledged rate, if known.
  package mutating func update(_ usage: BandwidthUsage, throughput: BitRate?, at now: SimTime) {
    initialize(with: throughput, at: now)
    if let throughput { lastThroughput = throughput }
    // Overuse takes effect even before the first estimate.
    guard isInitialized || usage == .overused else { return }

    switch usage {
    case .normal:
      if state == .hold {
        changedAt = now
        state = .increase
      }
    case .overused: state = .decrease
    case .underused: state = .hold
    }
    switch state {
    case .hold: break
    case .increase: increase(at: now)
    case .decrease: decrease(at: now)
    }
    estimate = max(estimate, minimum)
  }

  /// Additive increase near the link capacity [bit/s per s]: half a packet of a 30 fps stream per response time.
  package var additiveIncreasePerSecond: Double {
    if parameters.roundsDown { return Double(wholeAdditiveIncreasePerSecond) }
    let frame = Double(estimate.bitsPerSecond) / 30
    let packets = (frame / (1200 * 8)).rounded(.up)
    // The overuse detector takes about 100 ms.
    let response = 2 * (roundTrip.seconds + 0.1)
    return max(Double(parameters.minimumAdditiveIncrease.bitsPerSecond), frame / max(packets, 1) / response)
  }

  /// Additive increase from whole bytes of a frame and of its packets, rounded down [bit/s per s].
  private var wholeAdditiveIncreasePerSecond: Int64 {
    // Bytes of a frame of 33 333 us, rounded to the nearest.
    let frame = (estimate.bitsPerSecond * 33_333 + 4_000_000) / 8_000_000
    let packets = max((frame + 1199) / 1200, 1)
    let packet = (frame + packets / 2) / packets
    let response = 2 * (roundTrip.nanoseconds / 1000 + 100_000)
    return max(parameters.minimumAdditiveIncrease.bitsPerSecond, packet * 8_000_000 / response)
  }

  /// Initializes the estimate, if there is no start rate, with the throughput after five seconds.
  private mutating func initialize(with throughput: BitRate?, at now: SimTime) {
    guard !isInitialized else { return }
    guard let firstThroughputAt else {
      if throughput != nil { self.firstThroughputAt = now }
      return
    }
    if let throughput, now - firstThroughputAt > .seconds(5) {
      estimate = throughput
      isInitialized = true
      origin = .acknowledged
    }
  }

  private mutating func increase(at now: SimTime) {
    if let bound = capacity.upperBound, lastThroughput > bound { capacity.reset() }
    defer { changedAt = now }
    let limit = lastThroughput.scaled(by: parameters.acknowledgedFactor) + parameters.increaseAllowance
    guard estimate < limit else {
      if origin == .delay { origin = .acknowledged }
      return
    }
    let elapsed = changedAt.map { (now - $0).seconds } ?? 1
    let growth: BitRate
    if isNearCapacity {
      let step = additiveIncreasePerSecond * elapsed
      growth = BitRate(rounding: parameters.roundsDown ? step.rounded(.towardZero) : step)
    } else {
      let factor = ReproducibleMath.power(parameters.increaseFactor, min(elapsed, 1)) - 1
      growth = max(estimate.scaled(by: factor), .kilobits(1))
    }
    estimate = min(estimate + growth, limit)
    origin = estimate == limit ? .acknowledged : .delay
  }

  private mutating func decrease(at now: SimTime) {
    var lower = lastThroughput.scaled(by: parameters.decreaseFactor)
    if lower > parameters.drainReserve { lower -= parameters.drainReserve }
    if lower > estimate, let known = capacity.rate { lower = known.scaled(by: parameters.decreaseFactor) }
    estimate = min(estimate, lower)
    origin = .delay

    if let bound = capacity.lowerBound, lastThroughput < bound { capacity.reset() }
    isInitialized = true
    capacity.add(lastThroughput)
    state = .hold
    changedAt = now
  }
}
