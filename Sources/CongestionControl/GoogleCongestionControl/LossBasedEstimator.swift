import Quantity

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Finds the bandwidth that explains best what was lost: loss beyond what the path loses anyway counts as a sign that
/// more was sent than it carries (libwebrtc `loss_based_bwe_v2.cc`). All rates in kbit/s.
package struct LossBasedEstimator: Sendable {
  enum State: Equatable {
    case delayBased
    case increasingWithPadding
    case decreasing
  }

  private struct Candidate {
    var bandwidth: Double
    var inherentLoss: Double
  }

  private struct Hold {
    var until = Int64.min / 2
    var duration: Int64 = 300_000_000
    var rate = Double.infinity
  }

  private static let factors = [1.02, 1.0, 0.95]
  private static let newtonStep = 0.75
  private static let initialInherentLoss = 0.01
  private static let leastInherentLoss = 1e-3
  private static let inherentLossOffset = 0.05
  /// 100 kbps over the bandwidth, or over the loss, is what may be inherent, or carried at most.
  private static let balance = 100.0
  private static let lossOffset = 0.05
  private static let bias = 0.0002
  private static let logarithmicBias = 0.02
  private static let biasThreshold = 0.2
  private static let biasSmoothing = 0.002
  private static let rampUp = 1.5
  private static let rampUpInHold = 1.2
  private static let holdThreshold = 1.3
  private static let windowFactor = 1.3
  private static let window: Int64 = 300_000_000
  private static let paddingTime: Int64 = 2_000_000_000
  private static let greatestHold: Int64 = 60_000_000_000

  private(set) var state = State.delayBased
  private(set) var estimate: Double?
  private var observations = LossObservations()
  private var best: Candidate?
  private var averageLoss = 0.0
  private var recoveringSince: Int64?
  private var windowLimit = Double.infinity
  private var hold = Hold()
  private var paddingRate = 0.0
  private var paddingSince = Int64.min / 2
  var minimum: Double
  var maximum = Double.infinity

  package init(minimum: Double) { self.minimum = minimum }

  var isReady: Bool { best != nil && observations.isSufficient }

  /// Takes over what a probe has shown.
  mutating func set(_ rate: Double) {
    best = Candidate(bandwidth: rate, inherentLoss: best?.inherentLoss ?? Self.initialInherentLoss)
    estimate = rate
  }

  package mutating func update(
    _ results: [PacketResult], delayBased: Double?, acknowledged: Double?, isApplicationLimited: Bool
  ) {
    guard observations.add(results) else { return }
    averageLoss = observations.averageLoss
    guard let old = best else {
      guard let delayBased else { return }
      best = Candidate(bandwidth: delayBased, inherentLoss: Self.initialInherentLoss)
      estimate = delayBased
      return
    }
    var chosen = search(from: old, delayBased, acknowledged, isApplicationLimited)
    if averageLoss > chosen.inherentLoss, old.bandwidth < chosen.bandwidth {
      chosen.bandwidth = old.bandwidth
    }
    if isLossLimited { boundGrowth(&chosen, old: old, acknowledged: acknowledged) }
    let lower = max(acknowledged ?? 0, minimum)
    var bounded = max(lower, min(chosen.bandwidth, upperBound, delayBased ?? .infinity))
    best =
      bounded < chosen.bandwidth
      ? Candidate(bandwidth: bounded, inherentLoss: feasible(chosen.inherentLoss, bounded)) : chosen
    if state == .decreasing, hold.until > observations.lastSentAt, bounded < delayBased ?? .infinity {
      bounded = min(hold.rate, bounded)
    }
    follow(bounded, delayBased: delayBased ?? .infinity)
    let now = observations.lastSentAt
    if isLossLimited, recoveringSince.map({ $0 + Self.window < now }) ?? true {
      windowLimit = max(minimum, (best?.bandwidth ?? bounded) * Self.windowFactor)
      recoveringSince = now
    }
  }

  private var isLossLimited: Bool { state != .delayBased }

  // MARK: The search

  private func search(
    from old: Candidate, _ delayBased: Double?, _ acknowledged: Double?, _ isApplicationLimited: Bool
  ) -> Candidate {
    let limit = max(old.bandwidth, isLossLimited ? min(windowLimit, maximum) : maximum)
    var chosen = old
    var greatest = -Double.infinity
    func consider(_ bandwidth: Double) {
      var candidate = Candidate(bandwidth: min(bandwidth, limit), inherentLoss: 0)
      candidate.inherentLoss = feasible(old.inherentLoss, candidate.bandwidth)
      newton(&candidate)
      let value = objective(candidate)
      if value > greatest || value == greatest && candidate.bandwidth > chosen.bandwidth {
        greatest = value
        chosen = candidate
      }
    }
    for factor in Self.factors { consider(old.bandwidth * factor) }
    let paddedRecently = observations.lastSentAt - paddingSince < Self.paddingTime
    if let acknowledged, !isApplicationLimited || paddedRecently { consider(acknowledged) }
    if let delayBased, delayBased > old.bandwidth { consider(delayBased) }
    return chosen
  }

  /// One Newton step of the inherent loss towards the likeliest value.
  private func newton(_ candidate: inout Candidate) {
    var first = 0.0
    var second = 0.0
    for observation in observations.all {
      let p = probability(candidate, observation.sendingRate)
      let received = observation.kilobytes - observation.lostKilobytes
      first += observation.weight * (observation.lostKilobytes / p - received / (1 - p))
      second -= observation.weight * (observation.lostKilobytes / (p * p) + received / ((1 - p) * (1 - p)))
    }
    if second == 0 { second = -1e-6 }
    candidate.inherentLoss = feasible(
      candidate.inherentLoss - Self.newtonStep * first / second, candidate.bandwidth)
  }

  private func objective(_ candidate: Candidate) -> Double {
    let preference = bandwidthPreference(candidate.bandwidth)
    return observations.all.reduce(0) { sum, observation in
      let p = probability(candidate, observation.sendingRate)
      let received = observation.kilobytes - observation.lostKilobytes
      return sum + observation.weight
        * (observation.lostKilobytes * log(p) + received * log(1 - p) + preference * observation.kilobytes)
    }
  }

  /// How likely a packet is lost at a sending rate.
  private func probability(_ candidate: Candidate, _ sendingRate: Double) -> Double {
    var p = min(max(candidate.inherentLoss, 0), 1)
    if sendingRate > candidate.bandwidth {
      p += (1 - p) * (sendingRate - candidate.bandwidth) / sendingRate
    }
    return min(max(p, 1e-6), 1 - 1e-6)
  }

  /// Of two that explain the losses alike the greater bandwidth is preferred, until losses reach 20 %.
  private func bandwidthPreference(_ bandwidth: Double) -> Double {
    let distance = Self.biasThreshold - averageLoss
    let sign = distance / (Self.biasSmoothing + abs(distance))
    return sign * (Self.bias * bandwidth + Self.logarithmicBias * log(1 + bandwidth))
  }

  private func feasible(_ inherentLoss: Double, _ bandwidth: Double) -> Double {
    let most = min(1, Self.inherentLossOffset + Self.balance / max(bandwidth, 1e-3))
    return min(max(inherentLoss, Self.leastInherentLoss), most)
  }

  // MARK: The bounds

  /// What a path with this much loss is trusted with: 2 Mbit/s at 10 %, 222 kbit/s at 50 %.
  package var upperBound: Double {
    averageLoss > Self.lossOffset ? min(maximum, Self.balance / (averageLoss - Self.lossOffset)) : maximum
  }

  private func boundGrowth(_ chosen: inout Candidate, old: Candidate, acknowledged: Double?) {
    if let since = recoveringSince, since + Self.window > observations.lastSentAt {
      chosen.bandwidth = min(chosen.bandwidth, windowLimit)
    }
    let grows =
      chosen.bandwidth > old.bandwidth || chosen.bandwidth == old.bandwidth && state == .increasingWithPadding
    guard grows, let acknowledged else { return }
    let factor =
      acknowledged < Self.holdThreshold * hold.rate && hold.rate < .infinity ? Self.rampUpInHold : Self.rampUp
    chosen.bandwidth = max(old.bandwidth, min(chosen.bandwidth, factor * acknowledged))
    // By a bit at least, so that padding begins.
    if state == .decreasing, chosen.bandwidth == old.bandwidth { chosen.bandwidth = old.bandwidth + 1e-3 }
  }

  private mutating func follow(_ bounded: Double, delayBased: Double) {
    let now = observations.lastSentAt
    let before = estimate ?? bounded
    let grows =
      isLossLimited && (bounded > before || bounded == before && state == .increasingWithPadding)
    let mayGoOn =
      state != .increasingWithPadding || paddingSince + Self.paddingTime >= now || paddingRate < bounded
    if grows, mayGoOn, bounded < delayBased, bounded < maximum {
      if bounded > paddingRate {
        paddingRate = bounded
        paddingSince = now
      }
      state = .increasingWithPadding
    } else if bounded < delayBased, bounded < maximum {
      if state != .decreasing {
        hold = Hold(
          until: now + hold.duration, duration: min(hold.duration * 2, Self.greatestHold), rate: bounded)
      }
      paddingRate = 0
      state = .decreasing
    } else {
      hold = Hold()
      paddingRate = 0
      state = .delayBased
    }
    estimate = bounded
  }
}
