package import Quantity

/// Loss model with an inherent loss and a bandwidth, fitted to the observed losses (libwebrtc's
/// `loss_based_bwe_v2.cc`).
///
/// The excess above the bandwidth is lost, and the inherent loss applies to the rest: p = i + (1 - i) max(0, (s - b) /
/// s).
package struct LossModel: BitwiseCopyable, Hashable, Sendable {
  package var inherentLoss: Double
  package var bandwidth: BitRate

  package init(inherentLoss: Double, bandwidth: BitRate) {
    self.inherentLoss = inherentLoss
    self.bandwidth = bandwidth
  }

  /// Computes the loss probability at a sending rate.
  package func lossProbability(at sendingRate: BitRate) -> Double {
    var loss = min(max(inherentLoss, 0), 1)
    if sendingRate > bandwidth {
      let excess = Double(sendingRate.bitsPerSecond - bandwidth.bitsPerSecond)
      loss += (1 - loss) * excess / Double(sendingRate.bitsPerSecond)
    }
    return min(max(loss, 1e-6), 1 - 1e-6)
  }

  /// Clamps the inherent loss to its bounds; the upper one falls as the bandwidth grows.
  package mutating func makeFeasible(_ parameters: LossBasedParameters) {
    var upper = 1.0
    if bandwidth > .zero {
      let balance = Double(parameters.maximumInherentLossBalance.bitsPerSecond)
      upper = min(1, parameters.maximumInherentLossOffset + balance / Double(bandwidth.bitsPerSecond))
    }
    inherentLoss = min(max(inherentLoss, parameters.minimumInherentLoss), upper)
  }

  /// Takes one Newton step towards the maximum-likelihood inherent loss.
  package mutating func improve(
    on observations: borrowing LossObservations, _ parameters: LossBasedParameters
  ) {
    guard observations.count > 0 else { return }
    var first = 0.0
    var second = 0.0
    for index in 0..<observations.count {
      let (observation, weight) = observations.observation(index)
      let loss = lossProbability(at: observation.sendingRate)
      let kept = 1 - loss
      var slope = -(observation.received / kept)
      var curvature = observation.received / (kept * kept)
      // Saves two divisions: most observations have no loss.
      if observation.lostSize > 0 {
        slope += observation.lost / loss
        curvature += observation.lost / (loss * loss)
      }
      first += weight * slope
      second -= weight * curvature
    }
    if second >= 0 { second = -1e-6 }
    inherentLoss -= parameters.newtonStep * first / second
    makeFeasible(parameters)
  }

  /// Computes the log-likelihood of the observations plus a preference for higher bandwidths that reverses at heavy
  /// loss.
  package func objective(on observations: borrowing LossObservations, _ parameters: LossBasedParameters)
    -> Double
  {
    let distance = parameters.preferenceThreshold - observations.averageLoss
    let sign = distance / (parameters.preferenceSmoothing + abs(distance))
    let kilobits = bandwidth.wholeKilobits
    let preference =
      sign
      * (parameters.bandwidthPreference * kilobits
        + parameters.logBandwidthPreference * ReproducibleMath.logarithm(1 + kilobits))
    var objective = 0.0
    // Observations below the bandwidth share the same loss.
    var loss = -1.0
    var keptLogarithm = 0.0
    for index in 0..<observations.count {
      let (observation, weight) = observations.observation(index)
      let probability = lossProbability(at: observation.sendingRate)
      if probability != loss {
        loss = probability
        keptLogarithm = ReproducibleMath.logarithm(1 - loss)
      }
      if observation.lost > 0 { objective += weight * observation.lost * ReproducibleMath.logarithm(loss) }
      objective += weight * observation.received * keptLogarithm
      objective += weight * preference * (observation.lost + observation.received)
    }
    return objective
  }
}
