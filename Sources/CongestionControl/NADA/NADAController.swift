package import Quantity

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Network-Assisted Dynamic Adaptation (RFC 8698) as a sender runs it.
///
/// The RFC lets the receiver aggregate congestion signals; here the sender does so from transport-wide feedback, which
/// its section 5.3 allows. Packets are neither marked nor is there a loss expiration window of its own: losses within the
/// observation time count (our simplification). The pacer runs at the reference rate times 1.1.
package struct NADAController: Sendable {
  private static let filterTaps = 15
  private static let pacingFactor = 1.1

  private struct Arrival {
    var at: Double
    var size: Double
    var isLost: Bool
  }

  private let parameters: NADAParameters
  private var maximum: Double
  /// Reference rate [bit/s].
  private var rate: Double
  private var arrivals: [Arrival] = []
  private var delays: [Double] = []
  private var baseDelay = Double.infinity
  private var lossRatio = 0.0
  private var previousSignal = 0.0
  private var updatedAt: SimTime?
  private var meanRoundTrip = 0.2
  package private(set) var target: PathTarget
  package private(set) var roundTrip = SimDuration.milliseconds(200)

  package init(
    parameters: NADAParameters = .init(), constraints: RateConstraints = .init(), at now: SimTime
  ) {
    self.parameters = parameters
    maximum = Double(parameters.maximum.bitsPerSecond)
    rate = Double(parameters.start.bitsPerSecond)
    target = PathTarget(rate: .zero, pacing: .zero, padding: .zero)
    refreshTarget()
  }

  package mutating func send(_ packet: SentPacket) {}

  package mutating func process(at now: SimTime) {}

  /// What the streams could use is the greatest rate.
  package mutating func demand(_ demand: SenderDemand, at now: SimTime) {
    if demand.maximumAllocated > .zero {
      maximum = max(Double(parameters.minimum.bitsPerSecond), Double(demand.maximumAllocated.bitsPerSecond))
    }
  }

  /// A feedback message, its packets in the order of their numbers.
  package mutating func receive(_ results: [PacketResult], at now: SimTime) {
    guard !results.isEmpty else { return }
    var latest = 0.0
    var hasArrived = false
    for result in results {
      guard result.isReceived else {
        arrivals.append(Arrival(at: latest, size: 0, isLost: true))
        continue
      }
      latest = result.receivedAt.seconds
      hasArrived = true
      arrivals.append(Arrival(at: latest, size: Double(result.packet.size) * 8, isLost: false))
      let delay = (result.receivedAt - result.packet.sentAt).seconds
      baseDelay = min(baseDelay, delay)
      if delays.count == Self.filterTaps { delays.removeFirst() }
      delays.append(delay)
      let trip = (now - result.packet.sentAt).seconds
      meanRoundTrip += 0.02 * (trip - meanRoundTrip)
    }
    guard hasArrived else { return }
    let horizon = latest - parameters.window
    arrivals.removeAll { !$0.isLost && $0.at < horizon || $0.isLost && $0.at > 0 && $0.at < horizon }
    roundTrip = SimDuration(nanoseconds: Int64(meanRoundTrip * 1e9))
    update(at: now)
  }

  private mutating func update(at now: SimTime) {
    let lost = arrivals.count { $0.isLost }
    let instant = arrivals.isEmpty ? 0 : Double(lost) / Double(arrivals.count)
    lossRatio += parameters.lossSmoothing * (instant - lossRatio)
    let queueing = max(0, (delays.min() ?? baseDelay) - baseDelay)
    let signal = Self.signal(queueing: queueing, lossRatio: lossRatio, hasLosses: lost > 0, parameters)
    defer {
      previousSignal = signal
      updatedAt = now
    }
    let elapsed = updatedAt.map { (now - $0).seconds } ?? parameters.interval
    if lost == 0, queueing < parameters.emptyDelay {
      let received = arrivals.reduce(0) { $0 + $1.size } / parameters.window
      rate = max(rate, (1 + Self.growth(roundTrip: meanRoundTrip, parameters)) * received)
    } else {
      rate = Self.gradual(
        rate: rate, signal: signal, previous: previousSignal, elapsed: elapsed, maximum: maximum, parameters)
    }
    rate = min(max(rate, Double(parameters.minimum.bitsPerSecond)), maximum)
    refreshTarget()
  }

  private mutating func refreshTarget() {
    target = PathTarget(
      rate: BitRate(bitsPerSecond: Int64(rate)),
      pacing: BitRate(bitsPerSecond: Int64(rate * Self.pacingFactor)),
      padding: .zero)
  }

  // MARK: The RFC's equations

  /// Aggregated congestion signal [s]: the queueing delay, warped once losses come with a long one (equation 1), and a
  /// penalty for losses (equation 2).
  package static func signal(
    queueing: Double, lossRatio: Double, hasLosses: Bool, _ parameters: NADAParameters
  ) -> Double {
    var delay = queueing
    if hasLosses, queueing >= parameters.warpDelay {
      let excess = (queueing - parameters.warpDelay) / parameters.warpDelay
      delay = parameters.warpDelay * exp(-parameters.warpExponent * excess)
    }
    let share = lossRatio / parameters.lossReference
    return delay + parameters.lossPenalty * share * share
  }

  /// Multiplicative growth of the received rate in accelerated ramp-up (equation 3).
  package static func growth(roundTrip: Double, _ parameters: NADAParameters) -> Double {
    min(
      parameters.greatestGrowth,
      parameters.growthDelay / (roundTrip + parameters.interval + parameters.filterDelay))
  }

  /// The rate after a gradual update (equations 5 to 7).
  package static func gradual(
    rate: Double, signal: Double, previous: Double, elapsed: Double, maximum: Double,
    _ parameters: NADAParameters
  ) -> Double {
    let offset = signal - parameters.priority * parameters.reference * maximum / rate
    let difference = signal - previous
    let tau = parameters.tau
    return rate - parameters.kappa * (elapsed / tau) * (offset / tau) * rate
      - parameters.kappa * parameters.eta * (difference / tau) * rate
  }
}
