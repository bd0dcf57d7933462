package import Quantity

/// What can be set about Agora's rules.
package struct AgoraParameters: Hashable, Sendable {
  /// What a client does when its downlink is too weak (`setRemoteSubscribeFallbackOption`).
  package enum Fallback: String, Hashable, Sendable, CaseIterable {
    case disabled
    /// Takes every low stream; Agora's default.
    case low
    /// First every low stream, then no video at all.
    case audioOnly = "audio-only"
  }

  /// When senders send a low stream (`setDualStreamMode`); see ``DualStreamSender``.
  package enum DualStream: String, Hashable, Sendable, CaseIterable {
    /// From the moment that a host asks for it; Agora's default since 4.2.
    case auto
    /// Always.
    case enable
    /// Never: asking for it has no effect.
    case disable
  }

  package var fallback = Fallback.low
  package var dualStream = DualStream.auto
  /// Whether a remote user's low stream is taken until the app says otherwise; Agora's default is the high one.
  package var defaultIsLow = false
  /// The most streams of a channel, a user's own included if it sends one; above, each user has a random choice
  /// [Agora's recommendation: 17].
  package var userLimit = 17
  /// Falls back below this share of the rate required … [our model: Agora publishes no thresholds].
  package var fallbackShare = 0.95
  /// … for this long.
  package var fallbackTime = SimDuration.seconds(2)
  /// Recovers above this share of the rate required …
  package var recoveryShare = 1.15
  /// … for this long.
  package var recoveryTime = SimDuration.seconds(5)
  /// From a call to a change of stream [our model; the old picture stays meanwhile].
  package var switchDelay = SimDuration.milliseconds(500)

  package init() {}
}
