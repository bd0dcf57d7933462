package import Parameters
package import Quantity
import Systems

/// Vonage parameters.
package struct VonageParameters: Parameterized {
  /// Scalable video of an application.
  package enum ScalableVideo: String, Hashable, Sendable, CaseIterable {
    /// On with more than two clients; the default.
    case auto
    case on, off
  }

  /// Preferred resolution of subscribers that set none.
  package enum PreferredResolution: String, Hashable, Sendable, CaseIterable {
    /// No limit; the default.
    case none
    /// The size at which the video is rendered.
    case auto
  }

  package var scalableVideo = ScalableVideo.auto
  package var preferredResolution = PreferredResolution.none
  package var subscriberFallback = true
  package var publisherFallback = false
  package var fallbackMinimum = BitRate.kilobits(150)
  package var fallbackLoss = 0.15
  package var warningFactor = 1.3
  package var recoveryFactor = 1.2
  package var recoveryTime = SimDuration.seconds(5)
  package var fallbackStart = SimDuration.seconds(5)
  package var reactionDelay = SimDuration.milliseconds(20)

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = [
    .choice(
      "scalable-video", \.scalableVideo,
      "whether cameras are sent in several encodings; auto: if the scenario has more than two participants, whenever they "
        + "join",
      source: "scalable video guide; auto is the default, and counts the clients that are connected at a time"
    ),
    .choice(
      "preferred-resolution", \.preferredResolution,
      "preferred resolution of subscribers that set none: no limit, or as rendered",
      source: "native SDKs: no limit; web SDK: may be auto"),
    .flag(
      "subscriber-audio-fallback", \.subscriberFallback,
      "whether a subscriber on a weak downlink stops the video of cameras", source: "audio fallback guide"),
    .flag(
      "publisher-audio-fallback", \.publisherFallback,
      "whether a publisher on a weak uplink stops its camera's video", source: "audio fallback guide"),
    .rate(
      "fallback-minimum", \.fallbackMinimum,
      "video is disabled below this bit rate per stream, or below its whole rate if that is less",
      source: "our model: Vonage publishes no thresholds"),
    .number(
      "fallback-loss", \.fallbackLoss, in: 0...1,
      "a subscriber's video is disabled above this fraction of lost packets",
      source: "our model: Vonage publishes no thresholds"),
    .number(
      "warning-factor", \.warningFactor, in: 1...10, "warns below the minimum times this",
      source: "our model: Vonage publishes no thresholds"),
    .number(
      "recovery-factor", \.recoveryFactor, in: 1...10, "video is enabled again above the minimum times this",
      source: "our model: Vonage publishes no thresholds"),
    .duration(
      "recovery-time", \.recoveryTime, "video is enabled again once that has lasted for this long",
      source: "our model: Vonage publishes no times"),
    .duration(
      "fallback-start", \.fallbackStart,
      "no fallback this long after joining, while estimates still rise from their start",
      source: "our model"),
    .duration(
      "reaction-delay", \.reactionDelay, "delay from a change to a subscriber's update",
      source: "our model: nothing is published"),
  ]
}
