import Quantity

/// Decides when to probe, and how high (libwebrtc `probe_controller.cc`). Rates in kbit/s, times in ns.
struct ProbeController: Sendable {
  /// What keeps the estimate where it is.
  enum Cause: Equatable {
    case nothingKnown
    case delayIncreased
    case lossLimited
    case lossLimitedIncreasing
    case roundTripAboveLimit
  }

  private enum State { case idle, waiting, complete }

  private static let initialScales = [3.0, 6.0]
  private static let furtherScale = 2.0
  private static let furtherThreshold = 0.7
  private static let waitingTime: Int64 = 1_000_000_000
  private static let applicationLimitedInterval: Int64 = 5_000_000_000
  private static let largestDefault = 5000.0
  private static let dropRatio = 0.66
  private static let recoveryShare = 0.85
  private static let recoveryUncertainty = 0.05
  private static let recoveryTimeout: Int64 = 5_000_000_000
  private static let applicationLimitedEndTimeout: Int64 = 3_000_000_000
  private static let lossLimitedScale = 1.5
  static let packets: Int32 = 5
  static let duration = SimDuration.milliseconds(15)

  private var state = State.idle
  private var estimate = 0.0
  private var maximum = Double.infinity
  private var maximumAllocated = 0.0
  private var cause = Cause.nothingKnown
  private var probedAt = Int64.min / 2
  private var furtherAbove = Double.infinity
  private var droppedAt = Int64.min / 2
  private var beforeDrop = 0.0
  private var recoveredAt = Int64.min / 2
  private var nextID: Int32 = 0
  var probesWhenApplicationLimited = false
  var applicationLimitedSince: Int64?
  var applicationLimitedEndedAt: Int64?
  /// Clusters to be sent.
  private(set) var clusters: [ProbeCluster] = []

  mutating func takeCluster() -> ProbeCluster? { clusters.isEmpty ? nil : clusters.removeFirst() }

  /// Begins with the start rate.
  mutating func start(_ rate: Double, at now: Int64) {
    estimate = rate
    guard state == .idle else { return }
    probe(Self.initialScales.map { $0 * rate }, further: true, at: now)
  }

  /// A greater maximum than before is tried out at once.
  mutating func setMaximum(_ rate: Double, at now: Int64) {
    let before = maximum
    maximum = rate
    if state == .complete, estimate > 0, before < rate, estimate < rate, rate < .infinity {
      probe([rate], further: false, at: now)
    }
  }

  /// The streams can use another rate: it is tried out while the sender is application limited.
  mutating func setMaximumAllocated(_ rate: Double, at now: Int64) {
    let isNew = rate != maximumAllocated
    maximumAllocated = rate
    guard isNew, state == .complete, applicationLimitedSince != nil, estimate > 0, estimate < rate,
      estimate < maximum
    else { return }
    let first = min(rate, 2 * estimate)
    let second = min(2 * rate, 2 * estimate)
    probe(second > first ? [first, second] : [first], further: true, at: now)
  }

  mutating func setEstimate(_ rate: Double, cause: Cause, at now: Int64) {
    self.cause = cause
    if rate < Self.dropRatio * estimate {
      droppedAt = now
      beforeDrop = estimate
    }
    estimate = rate
    if state == .waiting, rate > furtherAbove { probe([Self.furtherScale * rate], further: true, at: now) }
  }

  /// The path has recovered from overuse: what it had before is tried out once.
  mutating func probeAfterRecovery(at now: Int64) {
    let endedRecently =
      applicationLimitedEndedAt.map { now - $0 < Self.applicationLimitedEndTimeout } ?? false
    guard applicationLimitedSince != nil || endedRecently, state == .complete else { return }
    let suggested = Self.recoveryShare * beforeDrop
    if (1 - Self.recoveryUncertainty) * suggested > estimate, now - droppedAt < Self.recoveryTimeout,
      now - recoveredAt > Self.recoveryTimeout
    {
      recoveredAt = now
      probe([suggested], further: false, at: now)
    }
  }

  mutating func process(at now: Int64) {
    if now - probedAt > Self.waitingTime, state == .waiting {
      state = .complete
      furtherAbove = .infinity
    }
    guard state == .complete, estimate > 0, probesWhenApplicationLimited, let since = applicationLimitedSince,
      now >= max(since, probedAt) + Self.applicationLimitedInterval
    else { return }
    probe([2 * estimate], further: true, at: now)
  }

  private mutating func probe(_ rates: [Double], further: Bool, at now: Int64) {
    var greatest = maximum < .infinity ? maximum : Self.largestDefault
    if maximumAllocated > 0 { greatest = min(greatest, 2 * maximumAllocated) }
    var cap = Double.infinity
    switch cause {
    case .delayIncreased, .lossLimited, .roundTripAboveLimit: return
    case .lossLimitedIncreasing: cap = Self.lossLimitedScale * estimate
    case .nothingKnown: break
    }
    var further = further
    var last = 0.0
    for wanted in rates {
      var rate = min(wanted, cap)
      if rate >= greatest {
        rate = greatest
        further = false
      }
      last = rate
      clusters.append(
        ProbeCluster(
          id: nextID, rate: BitRate(bitsPerSecond: Int64((rate * 1000).rounded())),
          minimumPackets: Self.packets,
          minimumDuration: Self.duration, createdAt: SimTime(nanoseconds: now)))
      nextID += 1
    }
    probedAt = now
    state = further ? .waiting : .complete
    furtherAbove = further ? Self.furtherThreshold * last : .infinity
  }
}
