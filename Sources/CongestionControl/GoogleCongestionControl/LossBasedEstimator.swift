package import Quantity

/// Loss-based estimator: the bandwidth that best explains the losses (libwebrtc's `loss_based_bwe_v2.cc`).
///
/// Random loss of a few percent is attributed to the path and hardly reduces the rate; loss that grows with the
/// sending rate bounds it.
package struct LossBasedEstimator: ~Copyable, Sendable {
  package enum State: UInt8, BitwiseCopyable, Sendable {
    case increasing
    /// Increasing, with padding to test the increase.
    case increasingWithPadding
    case decreasing
    /// Not limited by loss: the estimate is the delay-based one.
    case delayBased
  }

  private struct Hold: BitwiseCopyable, Sendable {
    var until: SimTime?
    var duration: SimDuration
    var rate: BitRate?
  }

  private struct Padding: BitwiseCopyable, Sendable {
    var rate = BitRate.zero
    var startedAt: SimTime?
  }

  /// Minimum rate of an increase window (`bwe_defines.h`).
  private let floor = BitRate.kilobits(5)
  private let parameters: LossBasedParameters
  private var observations: LossObservations
  private var model: LossModel?
  private var candidates: [LossModel] = []
  private var minimum = BitRate.kilobits(1)
  private var maximum = SendSideEstimator.maximumTarget
  private var throughput: BitRate?
  /// Delay-based estimate; `nil` if there is none.
  private var delayBased: BitRate?
  private var hold: Hold
  private var padding = Padding()
  private var increaseWindowSince: SimTime?
  private var increaseWindowLimit: BitRate?
  private var result = BitRate.zero
  private var resultState = State.delayBased

  package init(parameters: LossBasedParameters = .init()) {
    self.parameters = parameters
    observations = LossObservations(parameters: parameters)
    hold = Hold(duration: parameters.firstHold)
    candidates.reserveCapacity(parameters.candidateFactors.count + 2)
  }

  /// `true` once there are enough observations.
  package var isReady: Bool { model != nil && observations.total >= parameters.requiredObservations }
  package var averageLoss: Double { observations.averageLoss }
  package var state: State { isReady ? resultState : .delayBased }
  /// Loss-based estimate; until ready, the delay-based one, or the maximum without one.
  package var estimate: BitRate { isReady ? result : delayBased ?? maximum }

  /// `true` if the acknowledged rate keeps the estimate from being lower.
  package var isBoundedByThroughput: Bool {
    throughput.map { result == $0.scaled(by: parameters.lowerBoundFactor) } ?? false
  }

  /// Upper bound of the bandwidth: above the loss offset, a rate divided by the excess loss, 2 Mbit/s at 10 %.
  package var upperBound: BitRate {
    let excess = averageLoss - parameters.upperBoundLossOffset
    guard observations.total > 0, excess > 0 else { return maximum }
    return parameters.upperBoundBalance.scaled(by: 1 / excess)
  }

  /// Lower bound of the bandwidth: loss alone never reduces the estimate below the delivered rate.
  package var lowerBound: BitRate {
    max(throughput?.scaled(by: parameters.lowerBoundFactor) ?? .zero, minimum)
  }

  package mutating func constrain(minimum: BitRate, maximum: BitRate) {
    self.minimum = minimum
    self.maximum = maximum
  }

  package mutating func setThroughput(_ rate: BitRate) { throughput = rate }

  /// Processes a feedback message in sending order.
  ///
  /// - Parameter delayBased: the delay-based estimate; `nil` for none.
  package mutating func update(_ results: [PacketResult], delayBased: BitRate?, isApplicationLimited: Bool) {
    self.delayBased = delayBased
    guard parameters.isEnabled else { return }
    guard observations.add(results), let now = observations.lastSentAt else { return }
    if model == nil {
      guard let delayBased else { return }
      model = LossModel(inherentLoss: parameters.initialInherentLoss, bandwidth: delayBased)
      result = delayBased
      resultState = .delayBased
    }
    guard let current = model else { return }

    var best = bestCandidate(from: current, isApplicationLimited: isApplicationLimited, at: now)
    if observations.averageLoss > best.inherentLoss {
      best.bandwidth = min(best.bandwidth, current.bandwidth)
    }
    if isLossLimited {
      best.bandwidth = limitedIncrease(from: current.bandwidth, to: best.bandwidth, at: now)
    }

    let bounded = max(lowerBound, min(best.bandwidth, upperBound, delayBased ?? best.bandwidth))
    if bounded < best.bandwidth {
      model = LossModel(inherentLoss: 0, bandwidth: bounded)
    } else {
      best.bandwidth = max(best.bandwidth, lowerBound)
      model = best
    }
    decide(bounded, at: now)
  }

  private var isLossLimited: Bool { resultState != .delayBased }

  private func isIncreasing(from old: BitRate, to new: BitRate) -> Bool {
    guard isLossLimited else { return false }
    let wasIncreasing = resultState == .increasing || resultState == .increasingWithPadding
    return old < new || (old == new && wasIncreasing)
  }

  private mutating func bestCandidate(
    from current: LossModel, isApplicationLimited: Bool, at now: SimTime
  ) -> LossModel {
    let limit = isLossLimited ? increaseWindowLimit : nil
    let cap = max(current.bandwidth, limit ?? maximum)
    candidates.removeAll(keepingCapacity: true)
    func add(_ bandwidth: BitRate) {
      var candidate = LossModel(inherentLoss: current.inherentLoss, bandwidth: min(bandwidth, cap))
      candidate.makeFeasible(parameters)
      candidates.append(candidate)
    }
    for factor in parameters.candidateFactors { add(current.bandwidth.scaled(by: factor)) }
    let paddedLately = padding.startedAt.map { $0 + parameters.paddingDuration >= now } ?? false
    if let throughput, !isApplicationLimited || paddedLately { add(throughput) }
    if let delayBased, delayBased > current.bandwidth { add(delayBased) }

    var best = current
    var highest = -Double.infinity
    for index in candidates.indices {
      candidates[index].improve(on: observations, parameters)
      let objective = candidates[index].objective(on: observations, parameters)
      let isTie = objective == highest && candidates[index].bandwidth > best.bandwidth
      if objective > highest || isTie {
        highest = objective
        best = candidates[index]
      }
    }
    return best
  }

  /// Bounds an increase in the loss-limited state by the increase window and the acknowledged rate.
  private func limitedIncrease(from current: BitRate, to candidate: BitRate, at now: SimTime) -> BitRate {
    var bandwidth = candidate
    if let since = increaseWindowSince, let limit = increaseWindowLimit,
      since + parameters.increaseWindow > now
    {
      bandwidth = min(bandwidth, limit)
    }
    guard isIncreasing(from: current, to: bandwidth), let throughput else { return bandwidth }
    let isHolding =
      hold.rate.map { throughput < $0.scaled(by: parameters.rampUpHoldThreshold) } ?? false
    let factor = isHolding ? parameters.rampUpFactorInHold : parameters.rampUpFactor
    bandwidth = max(current, min(bandwidth, throughput.scaled(by: factor)))
    // Even a minimal increase counts as one, so that padding follows.
    if resultState == .decreasing, bandwidth == current { bandwidth += BitRate(bitsPerSecond: 1) }
    return bandwidth
  }

  /// Sets the estimate to the bounded bandwidth and updates the state.
  private mutating func decide(_ bounded: BitRate, at now: SimTime) {
    let isBelowDelayBased = delayBased.map { bounded < $0 } ?? true
    if resultState == .decreasing, let until = hold.until, let rate = hold.rate, until > now,
      isBelowDelayBased
    {
      let held = max(lowerBound, rate)
      hold.rate = held
      result = min(held, bounded)
      return
    }
    let isLimiting = isBelowDelayBased && bounded < maximum
    if isLimiting, isIncreasing(from: result, to: bounded), mayKeepPadding(for: bounded, at: now) {
      if parameters.paddingDuration > .zero {
        if bounded > padding.rate { padding = Padding(rate: bounded, startedAt: now) }
        resultState = .increasingWithPadding
      } else {
        resultState = .increasing
      }
    } else if isLimiting {
      if resultState != .decreasing, parameters.holdFactor > 0 {
        hold = Hold(
          until: now + hold.duration,
          duration: min(parameters.longestHold, hold.duration * parameters.holdFactor), rate: bounded)
      }
      padding = Padding()
      resultState = .decreasing
    } else {
      hold = Hold(duration: parameters.firstHold)
      padding = Padding()
      resultState = .delayBased
    }
    result = bounded

    let windowIsOver = increaseWindowSince.map { $0 + parameters.increaseWindow < now } ?? true
    if isLossLimited, windowIsOver, let model {
      increaseWindowLimit = max(floor, model.bandwidth.scaled(by: parameters.maximumIncrease))
      increaseWindowSince = now
    }
  }

  private func mayKeepPadding(for estimate: BitRate, at now: SimTime) -> Bool {
    guard parameters.paddingDuration > .zero, resultState == .increasingWithPadding else { return true }
    let isPadding = padding.startedAt.map { $0 + parameters.paddingDuration >= now } ?? false
    return isPadding || padding.rate < estimate
  }
}
