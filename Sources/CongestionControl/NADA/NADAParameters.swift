package import Quantity

/// NADA's parameters (RFC 8698 section 4.2, figure 3).
package struct NADAParameters: Hashable, Sendable {
  /// Weight of priority of the flow.
  package var priority = 1.0
  /// Least and greatest rate (RMIN, RMAX); the greatest also follows what the streams could use.
  package var minimum = BitRate.kilobits(150)
  package var maximum = BitRate.kilobits(1500)
  /// The first rate; RFC 8698 begins at RMIN, libwebrtc at 300 kbps.
  package var start = BitRate.kilobits(300)
  /// Reference congestion level (XREF) [s].
  package var reference = 0.010
  /// Scaling of gradual updates (KAPPA, ETA), and the upper bound of the round trip in them (TAU) [s].
  package var kappa = 0.5
  package var eta = 2.0
  package var tau = 0.500
  /// Observation time (LOGWIN) [s].
  package var window = 0.500
  /// Delay below which a path counts as empty (QEPS) [s].
  package var emptyDelay = 0.010
  /// Bound of rate growth (GAMMA_MAX), and the delay that it may build (QBOUND) [s].
  package var greatestGrowth = 0.5
  package var growthDelay = 0.050
  /// Filtering delay (DFILT) and reference feedback interval (DELTA) [s].
  package var filterDelay = 0.120
  package var interval = 0.100
  /// Delay from which on losses warp it (QTH) [s], and how steeply (LAMBDA).
  package var warpDelay = 0.050
  package var warpExponent = 0.5
  /// Loss ratio whose penalty (DLOSS) [s] is the reference (PLRREF).
  package var lossPenalty = 0.010
  package var lossReference = 0.01
  /// Smoothing of the loss ratio (ALPHA).
  package var lossSmoothing = 0.1

  package init() {}
}
