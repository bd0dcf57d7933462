package import Parameters
package import Quantity

/// Agora parameters.
package struct AgoraParameters: Parameterized {
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
  package var defaultIsLow = false
  package var userLimit = 17
  package var fallbackShare = 0.95
  package var fallbackTime = SimDuration.seconds(2)
  package var recoveryShare = 1.15
  package var recoveryTime = SimDuration.seconds(5)
  package var switchDelay = SimDuration.milliseconds(500)

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = [
    .choice(
      "fallback", \.fallback, "what a client does on a weak downlink",
      source: "setRemoteSubscribeFallbackOption; low is Agora's default"),
    .choice(
      "dual-stream", \.dualStream, "when senders send a low stream",
      source: "setDualStreamMode; auto is the default since 4.2"),
    .choice(
      "default-stream", \.defaultIsLow, of: [("high", false), ("low", true)],
      "the stream taken of a remote user unless the app says otherwise", source: "setRemoteVideoStreamType"),
    .integer(
      "user-limit", \.userLimit, in: 2...1000,
      "the most streams of a channel, a user's own included; above, each user has a random choice",
      source: "Agora's recommendation"),
    .number(
      "fallback-share", \.fallbackShare, in: 0...10, "falls back below this share of the rate required",
      source: "our model: Agora publishes no thresholds"),
    .duration(
      "fallback-time", \.fallbackTime, "… for this long", source: "our model: Agora publishes no times"),
    .number(
      "recovery-share", \.recoveryShare, in: 0...10, "recovers above this share of the rate required",
      source: "our model: Agora publishes no thresholds"),
    .duration(
      "recovery-time", \.recoveryTime, "… for this long", source: "our model: Agora publishes no times"),
    .duration(
      "switch-delay", \.switchDelay, "from a call to a change of stream; the old picture stays meanwhile",
      source: "our model: Agora publishes no time"),
  ]
}
