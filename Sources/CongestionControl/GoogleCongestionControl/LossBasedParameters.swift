package import Quantity

/// Loss-based estimator parameters; every default is libwebrtc's (`loss_based_bwe_v2.cc`).
package struct LossBasedParameters: Hashable, Sendable {
  /// Enables the use of losses in transport feedback.
  package var isEnabled = true
  /// Candidates, as multiples of the current bandwidth.
  package var candidateFactors = [1.02, 1.0, 0.95]
  /// Linear preference for higher bandwidths [1 per kbit/s].
  package var bandwidthPreference = 0.0002
  /// Logarithmic preference for higher bandwidths.
  package var logBandwidthPreference = 0.02
  /// Average loss at which the preference changes sign.
  package var preferenceThreshold = 0.2
  /// Width of the transition between the signs.
  package var preferenceSmoothing = 0.002
  /// Initial inherent loss of the path.
  package var initialInherentLoss = 0.01
  /// Minimum inherent loss of the path.
  package var minimumInherentLoss = 1e-3
  /// Offset of the maximum inherent loss, to which a rate divided by the bandwidth is added.
  package var maximumInherentLossOffset = 0.05
  /// Rate of the maximum inherent loss, which is divided by the bandwidth.
  package var maximumInherentLossBalance = BitRate.kilobits(100)
  /// Step size of Newton's method.
  package var newtonStep = 0.75
  /// Minimum send-time span of an observation.
  package var observationDuration = SimDuration.milliseconds(250)
  /// Number of observations in the window.
  package var observationWindow = 15
  /// Minimum number of observations for an estimate.
  package var requiredObservations = 3
  /// Weight of an observation relative to the next newer one.
  package var ageWeight = 0.9
  /// Loss above which the bandwidth is bounded by ``upperBoundBalance`` divided by the excess loss.
  package var upperBoundLossOffset = 0.05
  /// Rate that bounds the bandwidth, divided by the excess loss.
  package var upperBoundBalance = BitRate.kilobits(100)
  /// Lower bound of the estimate, relative to the acknowledged rate.
  package var lowerBoundFactor = 1.0
  /// Upper bound of an increase in the loss-limited state, relative to the acknowledged rate.
  package var rampUpFactor = 1.5
  /// Upper bound of an increase while the acknowledged rate is below ``rampUpHoldThreshold`` times the held rate.
  package var rampUpFactorInHold = 1.2
  /// Acknowledged rate relative to the held rate, below which ``rampUpFactorInHold`` applies.
  package var rampUpHoldThreshold = 1.3
  /// Maximum increase within one ``increaseWindow``.
  package var maximumIncrease = 1.3
  /// Time in which an increase is bounded by ``maximumIncrease``.
  package var increaseWindow = SimDuration.milliseconds(300)
  /// Initial hold duration after a decrease.
  package var firstHold = SimDuration.milliseconds(300)
  /// Growth factor of the hold duration.
  package var holdFactor = Int64(2)
  /// Maximum hold duration.
  package var longestHold = SimDuration.seconds(60)
  /// Duration of padding with an increase; zero for none.
  package var paddingDuration = SimDuration.seconds(2)
  /// Multiple of the median rate from which the observation with the highest loss is not an outlier.
  package var medianRateFactor = 2.0

  package init() {}
}
