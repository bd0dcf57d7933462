package import Quantity

/// What can be set about probing; every default is libwebrtc's (`probe_controller.cc`).
package struct ProbeParameters: Hashable, Sendable {
  /// Whether to probe at all.
  package var isEnabled = true
  /// The first probes, as multiples of the start rate; none for no initial probing.
  package var initialFactors = [3.0, 6.0]
  /// When the estimate exceeds a share of the last probe, the next one goes to a multiple of the estimate.
  package var furtherThreshold = 0.7
  package var furtherFactor = 2.0
  /// Results that come later than this do not count.
  package var timeout = SimDuration.seconds(1)
  package var packets = Int32(5)
  package var duration = SimDuration.milliseconds(15)
  /// Greatest probe rate while the application gives no greatest target.
  package var defaultMaximum = BitRate.megabits(5)
  /// Greatest probe rate relative to what all streams could use.
  package var allocationLimit = 2.0
  /// Probes when the streams could use more, relative to what they could use, and their limit relative to the
  /// estimate.
  package var allocationFactors = [1.0, 2.0]
  package var allocationLimitByEstimate = 2.0
  /// Probes while the application limits what is sent: their interval, and their rate relative to the estimate.
  package var limitedRegionInterval = SimDuration.seconds(5)
  package var limitedRegionFactor = 2.0
  /// Greatest probe while losses limit an estimate that increases, relative to it.
  package var lossLimitedFactor = 1.5
  /// A fall below this share that is over within ``dropTimeout`` is answered by a probe at ``recoveryFactor`` of the
  /// old estimate, at most once in ``recoveryInterval``, in an application-limited region or until
  /// ``afterLimitedRegion`` after one.
  package var dropThreshold = 0.66
  package var dropTimeout = SimDuration.seconds(5)
  package var recoveryFactor = 0.85
  package var recoveryInterval = SimDuration.seconds(5)
  package var afterLimitedRegion = SimDuration.seconds(3)
  /// Relative error of a probe's result: no recovery probe for less gain.
  package var uncertainty = 0.05

  package init() {}
}

/// Decides when to send faster than the target to find out what the path carries (libwebrtc's `probe_controller.cc`).
package struct ProbeController: ~Copyable, Sendable {
  /// What limits the estimate, as far as probing is concerned.
  package enum Limit: UInt8, BitwiseCopyable, Sendable {
    case delay
    /// Queues grow or drain: no probing.
    case delayIncreased
    /// The round trip is broken: no probing.
    case roundTrip
    /// Losses, with a target that falls or is being put to the test by padding: no probing.
    case loss
    case lossIncreasing
  }

  private enum State: UInt8, BitwiseCopyable, Sendable { case initial, waiting, complete }

  private let parameters: ProbeParameters
  private var state = State.initial
  private var limit = Limit.delay
  private var estimate = BitRate.zero
  private var maximum: BitRate
  private var maximumAllocated = BitRate.zero
  /// Estimates above this continue the probing; nil for none.
  private var furtherThreshold: BitRate?
  private var lastProbeAt = SimTime.zero
  private var dropAt: SimTime
  private var beforeDrop = BitRate.zero
  private var recoveryProbeAt: SimTime
  private var limitedRegionEndedAt: SimTime?
  private var nextIdentifier = Int32(0)
  private var pending = RingBuffer<ProbeCluster>()
  /// The last clusters, at their number modulo their count.
  private var recent: [ProbeCluster] = []

  /// Start of the application-limited region, if the sender is in one.
  package var limitedRegionStartedAt: SimTime?
  /// Whether probing goes on in such a region.
  package var probesInLimitedRegion = false

  package init(parameters: ProbeParameters = .init(), at now: SimTime) {
    self.parameters = parameters
    maximum = parameters.defaultMaximum
    dropAt = now
    recoveryProbeAt = now
    recent.reserveCapacity(16)
  }

  /// The next cluster to send.
  package mutating func take() -> ProbeCluster? {
    guard let cluster = pending.first else { return nil }
    pending.removeFirst()
    return cluster
  }

  /// A cluster by its number; nil when it is too old.
  package func cluster(_ id: Int32) -> ProbeCluster? {
    guard id >= 0, !recent.isEmpty else { return nil }
    let place = Int(id) % 16
    return place < recent.count && recent[place].id == id ? recent[place] : nil
  }

  package mutating func endLimitedRegion(at now: SimTime) { limitedRegionEndedAt = now }

  /// Takes new constraints: the first begin the initial probing, later ones probe a greater maximum.
  ///
  /// - Parameter start: where the estimate begins anew; nil when it goes on.
  package mutating func constrain(start: BitRate?, maximum greatest: BitRate, at now: SimTime) {
    if let start { estimate = start }
    let before = maximum
    maximum = greatest == .unlimited ? parameters.defaultMaximum : greatest
    switch state {
    case .initial:
      probe(parameters.initialFactors.map { estimate.scaled(by: $0) }, further: true, at: now)
    case .waiting: break
    case .complete:
      if before < maximum, estimate < maximum { probe([maximum], further: false, at: now) }
    }
  }

  /// Takes what all streams could use together: more than before is probed in an application-limited region.
  package mutating func setMaximumAllocated(_ rate: BitRate, at now: SimTime) {
    let changed = rate != maximumAllocated
    maximumAllocated = rate
    guard state == .complete, changed, limitedRegionStartedAt != nil, estimate < min(maximum, rate) else {
      return
    }
    let cap = estimate.scaled(by: parameters.allocationLimitByEstimate)
    var rates: [BitRate] = []
    var isCapped = false
    for factor in parameters.allocationFactors where !isCapped {
      let wanted = rate.scaled(by: factor)
      isCapped = cap < wanted
      let next = min(wanted, cap)
      if next > rates.last ?? .zero { rates.append(next) }
    }
    probe(rates, further: isCapped, at: now)
  }

  /// Takes the estimate whenever it changes: while results are awaited, a good one continues the probing.
  package mutating func setEstimate(_ rate: BitRate, limit: Limit, at now: SimTime) {
    self.limit = limit
    if rate < estimate.scaled(by: parameters.dropThreshold) {
      dropAt = now
      beforeDrop = estimate
    }
    estimate = rate
    if state == .waiting, let furtherThreshold, rate > furtherThreshold {
      probe([rate.scaled(by: parameters.furtherFactor)], further: true, at: now)
    }
  }

  /// Called when the queues have drained: a large fall of the estimate may have been a mistake.
  package mutating func recover(at now: SimTime) {
    let endedLately = limitedRegionEndedAt.map { now - $0 < parameters.afterLimitedRegion } ?? false
    guard limitedRegionStartedAt != nil || endedLately, state == .complete else { return }
    let rate = beforeDrop.scaled(by: parameters.recoveryFactor)
    if rate.scaled(by: 1 - parameters.uncertainty) > estimate, now - dropAt < parameters.dropTimeout,
      now - recoveryProbeAt > parameters.recoveryInterval
    {
      recoveryProbeAt = now
      probe([rate], further: false, at: now)
    }
  }

  /// Called every ``EstimatorConfiguration/processInterval``.
  package mutating func process(at now: SimTime) {
    if state == .waiting, now - lastProbeAt > parameters.timeout { complete() }
    guard state == .complete, estimate > .zero, probesInLimitedRegion, let limitedRegionStartedAt else {
      return
    }
    if now >= max(limitedRegionStartedAt, lastProbeAt) + parameters.limitedRegionInterval {
      probe([estimate.scaled(by: parameters.limitedRegionFactor)], further: true, at: now)
    }
  }

  private mutating func complete() {
    state = .complete
    furtherThreshold = nil
  }

  private mutating func probe(_ rates: [BitRate], further: Bool, at now: SimTime) {
    guard parameters.isEnabled else { return complete() }
    var greatest = maximum
    if maximumAllocated > .zero {
      greatest = min(greatest, maximumAllocated.scaled(by: parameters.allocationLimit))
    }
    switch limit {
    case .delay: break
    case .delayIncreased, .roundTrip, .loss: return
    case .lossIncreasing: greatest = min(greatest, estimate.scaled(by: parameters.lossLimitedFactor))
    }
    var mayContinue = further
    var last: BitRate?
    for rate in rates {
      if rate >= greatest { mayContinue = false }
      let bounded = min(rate, greatest)
      create(bounded, at: now)
      last = bounded
    }
    lastProbeAt = now
    if mayContinue, let last {
      state = .waiting
      furtherThreshold = last.scaled(by: parameters.furtherThreshold)
    } else {
      complete()
    }
  }

  private mutating func create(_ rate: BitRate, at now: SimTime) {
    let cluster = ProbeCluster(
      id: nextIdentifier, rate: rate, minimumPackets: parameters.packets,
      minimumDuration: parameters.duration,
      createdAt: now)
    nextIdentifier += 1
    let place = Int(cluster.id) % 16
    if place < recent.count { recent[place] = cluster } else { recent.append(cluster) }
    pending.append(cluster)
  }
}
