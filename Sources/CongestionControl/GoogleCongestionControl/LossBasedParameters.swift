package import Quantity

/// Loss-based estimator parameters; every default is libwebrtc's (`loss_based_bwe_v2.cc`).
package struct LossBasedParameters: Hashable, Sendable {
  /// Whether losses in transport feedback are used.
  package var isEnabled = true
  /// Candidates, as multiples of the current bandwidth.
  package var candidateFactors = [1.02, 1.0, 0.95]
  /// Preference for higher bandwidths: linear [1 per kbit/s] and logarithmic.
  package var bandwidthPreference = 0.0002
  package var logBandwidthPreference = 0.02
  /// Average loss at which the preference changes sign, and the width of that transition.
  package var preferenceThreshold = 0.2
  package var preferenceSmoothing = 0.002
  /// Inherent loss of the path: initial, minimum, and maximum (an offset plus a rate divided by the bandwidth).
  package var initialInherentLoss = 0.01
  package var minimumInherentLoss = 1e-3
  package var maximumInherentLossOffset = 0.05
  package var maximumInherentLossBalance = BitRate.kilobits(100)
  /// Step size of Newton's method.
  package var newtonStep = 0.75
  /// Minimum send-time span of an observation.
  package var observationDuration = SimDuration.milliseconds(250)
  package var observationWindow = 15
  package var requiredObservations = 3
  /// Weight of an observation relative to the next newer one.
  package var ageWeight = 0.9
  /// Above this loss, the bandwidth is bounded by a rate divided by the excess loss.
  package var upperBoundLossOffset = 0.05
  package var upperBoundBalance = BitRate.kilobits(100)
  /// Lower bound of the estimate, relative to the acknowledged rate.
  package var lowerBoundFactor = 1.0
  /// Upper bounds of an increase in the loss-limited state, relative to the acknowledged rate: the usual one, and the
  /// one used while the acknowledged rate is below ``rampUpHoldThreshold`` times the held rate.
  package var rampUpFactor = 1.5
  package var rampUpFactorInHold = 1.2
  package var rampUpHoldThreshold = 1.3
  /// Maximum increase within one window.
  package var maximumIncrease = 1.3
  package var increaseWindow = SimDuration.milliseconds(300)
  /// Hold duration after a decrease: initial, growth factor, and maximum.
  package var firstHold = SimDuration.milliseconds(300)
  package var holdFactor = Int64(2)
  package var longestHold = SimDuration.seconds(60)
  /// Duration of padding with an increase; zero for none.
  package var paddingDuration = SimDuration.seconds(2)
  /// The observation with the highest loss is not an outlier if sent at this multiple of the median rate.
  package var medianRateFactor = 2.0

  package init() {}
}
