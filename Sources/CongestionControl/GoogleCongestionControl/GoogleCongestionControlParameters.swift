package import Quantity

/// What can be set about Google Congestion Control.
package struct GoogleCongestionControlParameters: Hashable, Sendable {
  /// The first target (libwebrtc `api/transport/bitrate_settings.h`: 300 kbps).
  package var start = BitRate.kilobits(300)
  /// The greatest target; unlimited in libwebrtc.
  package var maximum = BitRate.unlimited
  /// Pacing relative to the target once feedback has come (libwebrtc: 1.1, for screens 1.0).
  package var pacingFactor = 1.1
  /// The same before that (libwebrtc: 2.5).
  package var initialPacingFactor = 2.5
  /// Whether losses count (loss-based estimator v2).
  package var usesLoss = true
  /// Whether clusters probe for more.
  package var probes = true

  package init() {}
}
