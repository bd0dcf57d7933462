package import Quantity

/// Probing parameters; every default is libwebrtc's (`probe_controller.cc`).
package struct ProbeParameters: Hashable, Sendable {
  /// Enables probing.
  package var isEnabled = true
  /// Initial probe rates relative to the start rate; empty for no initial probing.
  package var initialFactors = [3.0, 6.0]
  /// Fraction of the last probe rate above which an estimate continues probing.
  package var furtherThreshold = 0.7
  /// Rate of a further probe relative to the estimate.
  package var furtherFactor = 2.0
  /// Time to wait for results.
  package var timeout = SimDuration.seconds(1)
  /// Minimum number of packets in a probe cluster.
  package var packets = Int32(5)
  /// Minimum duration of a probe cluster.
  package var duration = SimDuration.milliseconds(15)
  /// Maximum probe rate if the application sets no maximum target.
  package var defaultMaximum = BitRate.megabits(5)
  /// Maximum probe rate relative to the streams' total maximum.
  package var allocationLimit = 2.0
  /// Rates of the probes after an increase of the streams' total maximum, relative to it.
  package var allocationFactors = [1.0, 2.0]
  /// Limit of probes after an increase of the streams' total maximum, relative to the estimate; `nil` for none.
  package var allocationLimitByEstimate: Double? = 2.0
  /// Restricts probes after an increase of the streams' total maximum to application-limited regions.
  package var allocationNeedsLimitedRegion = true
  /// Discards the probe for a raised maximum target, although the state and time of probing change as if it were sent.
  package var losesRaisedMaximum = false
  /// Interval of probes in an application-limited region.
  package var limitedRegionInterval = SimDuration.seconds(5)
  /// Rate of probes in an application-limited region, relative to the estimate.
  package var limitedRegionFactor = 2.0
  /// Interval of probes while streams take more than the estimate and are meant to (ours).
  package var behindInterval = SimDuration.seconds(1)
  /// Maximum probe rate relative to a loss-limited, increasing estimate.
  package var lossLimitedFactor = 1.5
  /// Fraction of the estimate below which a drop counts as large.
  ///
  /// If the path recovers from a large drop within ``dropTimeout``, it is probed at ``recoveryFactor`` of the old
  /// estimate, at most once per ``recoveryInterval``, in an application-limited region or up to ``afterLimitedRegion``
  /// after one.
  package var dropThreshold = 0.66
  /// Time after a large drop in which a recovery is probed.
  package var dropTimeout = SimDuration.seconds(5)
  /// Rate of a recovery probe relative to the estimate before the drop.
  package var recoveryFactor = 0.85
  /// Minimum interval between recovery probes.
  package var recoveryInterval = SimDuration.seconds(5)
  /// Time after an application-limited region in which a recovery is still probed.
  package var afterLimitedRegion = SimDuration.seconds(3)
  /// Relative uncertainty of a probe result: a smaller gain is not worth a recovery probe.
  package var uncertainty = 0.05

  package init() {}
}

/// Schedule of probes for bandwidth above the target (libwebrtc's `probe_controller.cc`).
package struct ProbeController: ~Copyable, Sendable {
  /// Limit of the estimate, as relevant to probing.
  package enum Limit: UInt8, BitwiseCopyable, Sendable {
    case delay
    /// Overuse or underuse: no probing.
    case delayIncreased
    /// Excessive round trip: no probing.
    case roundTrip
    /// Loss, with a decreasing target or one tested by padding: no probing.
    case loss
    case lossIncreasing
  }

  private enum State: UInt8, BitwiseCopyable, Sendable { case initial, waiting, complete }

  private let parameters: ProbeParameters
  private var state = State.initial
  private var limit = Limit.delay
  private var estimate = BitRate.zero
  private var maximum: BitRate
  private var isMaximumSet = false
  private var maximumAllocated = BitRate.zero
  /// Estimate above which probing continues; `nil` for none.
  private var furtherThreshold: BitRate?
  private var lastProbeAt = SimTime.zero
  private var dropAt: SimTime
  private var beforeDrop = BitRate.zero
  private var recoveryProbeAt: SimTime
  private var limitedRegionEndedAt: SimTime?
  private var nextIdentifier = Int32(0)
  private var pending = RingBuffer<ProbeCluster>()
  /// Last 16 clusters, at their identifier modulo 16.
  private var recent: [ProbeCluster] = []

  /// Start of the current application-limited region; `nil` outside one.
  package var limitedRegionStartedAt: SimTime?
  /// Enables probing in application-limited regions.
  package var probesInLimitedRegion = false
  /// Enables equally frequent probing outside application-limited regions, and up to the streams' total maximum instead
  /// of the default maximum.
  package var probesPeriodically = false
  /// Rate that the streams currently take, whatever the estimate; see ``setTaken(_:isBeyondTarget:)``.
  private var taken = BitRate.zero
  /// Set while ``taken`` is above the estimate and the sender intends it.
  package private(set) var isBehindTaken = false
  /// Set if ``taken`` has risen above the estimate and is still to be probed.
  private var hasUnprobedRise = false
  /// Set while a rise of ``taken`` is probed, which is limited by the streams' total maximum too.
  private var isProbingRise = false

  package init(parameters: ProbeParameters = .init(), at now: SimTime) {
    self.parameters = parameters
    maximum = parameters.defaultMaximum
    dropAt = now
    recoveryProbeAt = now
    recent.reserveCapacity(16)
  }

  package var hasPending: Bool { !pending.isEmpty }

  /// Returns the next cluster to send.
  package mutating func take() -> ProbeCluster? {
    guard let cluster = pending.first else { return nil }
    pending.removeFirst()
    return cluster
  }

  /// Returns a cluster by its identifier; `nil` if it is too old.
  package func cluster(_ id: Int32) -> ProbeCluster? {
    guard id >= 0, !recent.isEmpty else { return nil }
    let index = Int(id) % 16
    return index < recent.count && recent[index].id == id ? recent[index] : nil
  }

  package mutating func endLimitedRegion(at now: SimTime) { limitedRegionEndedAt = now }

  /// Sets constraints: the first call starts initial probing, later ones probe an increased maximum.
  ///
  /// - Parameter start: rate from which the estimate restarts; `nil` if it continues.
  package mutating func constrain(start: BitRate?, maximum newMaximum: RateLimit, at now: SimTime) {
    if let start { estimate = start }
    let before = maximum
    isMaximumSet = newMaximum != .unlimited
    maximum = newMaximum.rate ?? parameters.defaultMaximum
    switch state {
    case .initial:
      probe(parameters.initialFactors.map { estimate.scaled(by: $0) }, further: true, at: now)
    case .waiting: break
    case .complete:
      guard before < maximum, estimate < maximum else { break }
      let known = nextIdentifier
      probe([maximum], further: false, at: now)
      if parameters.losesRaisedMaximum, nextIdentifier > known { pending.removeLast() }
    }
  }

  /// Sets the streams' total maximum rate: an increase is probed in an application-limited region.
  package mutating func setMaximumAllocated(_ rate: BitRate, at now: SimTime) {
    let changed = rate != maximumAllocated
    maximumAllocated = rate
    let isLimited = limitedRegionStartedAt != nil || !parameters.allocationNeedsLimitedRegion
    guard state == .complete, changed, isLimited, estimate < min(maximum, rate) else { return }
    probe(allocation: rate, at: now)
  }

  /// Sets the rate that the streams currently take.
  ///
  /// An increase beyond the estimate, if the sender intends it, is probed like one of the total maximum, even outside
  /// application-limited regions, since waiting data keeps the sender out of them. It is probed again every
  /// ``ProbeParameters/behindInterval`` for as long as the estimate is behind: the waiting data would otherwise drain
  /// only as fast as an estimate grows by itself (ours).
  package mutating func setTaken(_ rate: BitRate, isBeyondTarget: Bool) {
    isBehindTaken = isBeyondTarget && rate > estimate
    hasUnprobedRise = isBehindTaken && (hasUnprobedRise || rate > taken)
    taken = rate
  }

  private mutating func probe(allocation: BitRate, at now: SimTime) {
    let cap = parameters.allocationLimitByEstimate.map { estimate.scaled(by: $0) }
    var rates: [BitRate] = []
    var isCapped = false
    for factor in parameters.allocationFactors where !isCapped {
      let wanted = allocation.scaled(by: factor)
      let next = min(wanted, cap ?? wanted)
      isCapped = next < wanted
      if next > rates.last ?? .zero { rates.append(next) }
    }
    probe(rates, further: isCapped, at: now)
  }

  /// Updates the estimate: while waiting for results, a sufficient one continues probing.
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

  /// Updates the limit of an unchanged estimate.
  package mutating func setLimit(_ limit: Limit) { self.limit = limit }

  /// Probes whether a large drop of the estimate was a mistake; called when the queues have drained.
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

  /// Starts periodic probes and ends overdue ones; called every ``EstimatorConfiguration/processInterval``.
  package mutating func process(at now: SimTime) {
    if state == .waiting, now - lastProbeAt > parameters.timeout { complete() }
    guard state == .complete, estimate > .zero else { return }
    if isBehindTaken, limit == .delay, hasUnprobedRise || now >= lastProbeAt + parameters.behindInterval {
      hasUnprobedRise = false
      isProbingRise = true
      return probe(allocation: taken, at: now)
    }
    let begin = probesPeriodically ? lastProbeAt : probesInLimitedRegion ? limitedRegionStartedAt : nil
    guard let begin else { return }
    if now >= max(begin, lastProbeAt) + parameters.limitedRegionInterval {
      probe([estimate.scaled(by: parameters.limitedRegionFactor)], further: true, at: now)
    }
  }

  private mutating func complete() {
    state = .complete
    furtherThreshold = nil
    isProbingRise = false
  }

  private mutating func probe(_ rates: [BitRate], further: Bool, at now: SimTime) {
    guard parameters.isEnabled else { return complete() }
    var limitRate = maximum
    if maximumAllocated > .zero {
      let allowed = maximumAllocated.scaled(by: parameters.allocationLimit)
      let isBeyondDefault = (probesPeriodically || isProbingRise) && !isMaximumSet
      limitRate = isBeyondDefault ? allowed : min(limitRate, allowed)
    }
    switch limit {
    case .delay: break
    case .delayIncreased, .roundTrip, .loss: return
    case .lossIncreasing: limitRate = min(limitRate, estimate.scaled(by: parameters.lossLimitedFactor))
    }
    var mayContinue = further
    var last: BitRate?
    for rate in rates {
      if rate >= limitRate { mayContinue = false }
      let bounded = min(rate, limitRate)
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
    let index = Int(cluster.id) % 16
    if index < recent.count { recent[index] = cluster } else { recent.append(cluster) }
    pending.append(cluster)
  }
}
