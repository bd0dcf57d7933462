package import Quantity

/// What can be set about the loss-based estimate; every default is libwebrtc's (`loss_based_bwe_v2.cc`).
package struct LossBasedParameters: Hashable, Sendable {
  /// Whether losses that transport feedback tells of count at all.
  package var isEnabled = true
  /// Multiples of the present bandwidth that are held against each other.
  package var candidateFactors = [1.02, 1.0, 0.95]
  /// Preference of greater bandwidths [1 per kbit/s], and by their logarithm.
  package var bandwidthPreference = 0.0002
  package var logBandwidthPreference = 0.02
  /// At this average loss the preference changes its sign, within some ``preferenceSmoothing``.
  package var preferenceThreshold = 0.2
  package var preferenceSmoothing = 0.002
  /// Loss that the path has without congestion: at first, at least, and at most (an offset plus a rate over the
  /// bandwidth).
  package var initialInherentLoss = 0.01
  package var leastInherentLoss = 1e-3
  package var greatestInherentLossOffset = 0.05
  package var greatestInherentLossBalance = BitRate.kilobits(100)
  /// Share of Newton's step that is taken.
  package var newtonStep = 0.75
  /// An observation spans at least this time of sending.
  package var observationDuration = SimDuration.milliseconds(250)
  package var observationWindow = 15
  package var requiredObservations = 3
  /// Weight of an observation relative to the next younger one.
  package var ageWeight = 0.9
  /// Above this loss the bandwidth is at most a rate over the excess.
  package var upperBoundLossOffset = 0.05
  package var upperBoundBalance = BitRate.kilobits(100)
  /// The estimate is at least this multiple of what is acknowledged.
  package var lowerBoundFactor = 1.0
  /// While loss limits, an increase ends at a multiple of what is acknowledged: the usual one, and the one while less
  /// than a multiple of the rate that was held is acknowledged.
  package var rampUpFactor = 1.5
  package var rampUpFactorInHold = 1.2
  package var rampUpHoldThreshold = 1.3
  /// ... and at this multiple within one window.
  package var greatestIncrease = 1.3
  package var increaseWindow = SimDuration.milliseconds(300)
  /// After a decrease the rate is held: at first this long, then each time by a factor longer, up to a limit.
  package var firstHold = SimDuration.milliseconds(300)
  package var holdFactor = Int64(2)
  package var longestHold = SimDuration.seconds(60)
  /// An increase is accompanied by padding for this long; zero for none.
  package var paddingDuration = SimDuration.seconds(2)
  /// The observation with the greatest loss is no outlier when it was sent at this multiple of the median rate.
  package var medianRateFactor = 2.0

  package init() {}
}
