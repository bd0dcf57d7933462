package import Parameters
package import Quantity
import Systems

/// Agora parameters.
package struct AgoraParameters: Parameterized {
  /// Fallback on a weak downlink (`setRemoteSubscribeFallbackOption`).
  package enum Fallback: String, Hashable, Sendable, CaseIterable {
    case disabled
    /// All low streams; Agora's default.
    case low
    /// All low streams first, then no video.
    case audioOnly = "audio-only"
  }

  /// Mode of the senders' low stream (`setDualStreamMode`); see ``DualStreamSender``.
  package enum DualStream: String, Hashable, Sendable, CaseIterable {
    /// Starts once a host requests it; Agora's default since 4.2.
    case auto
    /// Always sends the low stream.
    case enable
    /// Never sends the low stream; requests have no effect.
    case disable
  }

  /// Channel profile (`setChannelProfile`), which sets the default bit rates of both streams.
  package enum Profile: String, Hashable, Sendable, CaseIterable {
    case live, communication
  }

  package var profile = Profile.live
  package var fallback = Fallback.low
  package var dualStream = DualStream.auto
  package var defaultIsLow = false
  package var userLimit = 17
  package var fallbackShare = 0.95
  package var fallbackLoss = 0.05
  package var fallbackDelay = SimDuration.milliseconds(100)
  package var fallbackTime = SimDuration.seconds(2)
  package var recoveryShare = 1.1
  package var recoveryTime = SimDuration.milliseconds(500)
  package var switchDelay = SimDuration.milliseconds(500)

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = [
    .choice(
      "profile", \.profile, "channel profile, which sets the default bit rates and the default low stream",
      source: "setChannelProfile; the scalable-UI guide uses live"),
    .choice(
      "fallback", \.fallback, "fallback of a client on a weak downlink",
      source: "setRemoteSubscribeFallbackOption; low is Agora's default"),
    .choice(
      "dual-stream", \.dualStream, "when senders send the low stream",
      source: "setDualStreamMode; auto is the default since 4.2"),
    .choice(
      "default-stream", \.defaultIsLow, of: [("high", false), ("low", true)],
      "default stream type of remote users", source: "setRemoteVideoStreamType"),
    .integer(
      "user-limit", \.userLimit, in: 2...1000,
      "maximum number of streams in a channel, including a user's own; beyond it each user receives a random subset",
      source: "Agora's recommendation"),
    .number(
      "fallback-share", \.fallbackShare, in: 0...10,
      "falls back when the budget is below this share of the required rate",
      source: "our model: Agora publishes no thresholds"),
    .number(
      "fallback-loss", \.fallbackLoss, in: 0...1,
      "a fallback also needs a congested downlink: one that loses at least this share of its packets over a second",
      source:
        "our model: Agora publishes no thresholds; libwebrtc holds its rate from 2 % and lowers it from 10 %"),
    .duration(
      "fallback-delay", \.fallbackDelay,
      "a downlink that keeps all packets waiting for at least this long is congested too",
      source:
        "our model: Agora publishes no thresholds; a queue that stands is more than a burst of key frames"),
    .duration(
      "fallback-time", \.fallbackTime, "falls back once that has lasted for at least this long",
      source: "our model: Agora publishes no times"),
    .number(
      "recovery-share", \.recoveryShare, in: 0...10,
      "recovers when the budget is above this share of the required rate",
      source:
        "our model: Agora publishes no thresholds; padding after losses lets the budget grow to 1.14 of that rate"
    ),
    .duration(
      "recovery-time", \.recoveryTime,
      "recovers once the budget has been above that share for at least this long",
      source: "our model: Agora publishes no times"),
    .duration(
      "switch-delay", \.switchDelay,
      "delay from a call to the stream switch; the old stream is shown meanwhile",
      source: "our model: Agora publishes no time"),
  ]
}
