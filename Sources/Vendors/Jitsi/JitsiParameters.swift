package import Parameters
package import Quantity
import Systems

/// Jitsi parameters: the bridge's, then those of jitsi-meet.
///
/// Of the changes after the version described, full resolution for screen shares (#2444) is a parameter. The rule by
/// which #2443 gates oversending and measures bursts is left out, since only its description is public and the rule
/// cannot be derived from that.
package struct JitsiParameters: Parameterized {
  package var changeThreshold = Fraction(0.15) ?? .zero
  package var reallocationPeriod = SimDuration.seconds(5)
  package var periodSlack = SimDuration.milliseconds(5)
  package var initialEstimate = BitRate.kilobits(2500)
  package var minimumEstimate = BitRate.kilobits(30)
  package var maximumEstimate = BitRate.megabits(20)
  package var trustsEstimate = true
  package var preferredHeight = 360
  package var preferredFrameRate = 30
  package var thumbnailHeight = 180
  package var oversends = true
  package var maximumOversend = BitRate.kilobits(500)
  package var prefersResolution = false
  package var maximumSources = 50
  package var defaultHeight = 180
  package var keyFrameSpacing = SimDuration.milliseconds(200)
  package var keyFrameMargin = SimDuration.milliseconds(10)
  package var keyFrameRequests = 3
  package var keyFrameRequestWindow = SimDuration.seconds(10)
  package var keyFrameGroup = SimDuration.milliseconds(300)
  package var rateWindow = SimDuration.seconds(1)
  package var rateStep = SimDuration.milliseconds(20)
  package var lastN = -1
  package var preferredQuality = 2160
  package var fullResolutionParticipants = 2
  package var visibilityDebounce = SimDuration.milliseconds(100)
  package var pictureInPictureHeight = 180
  package var reactionDelay = SimDuration.milliseconds(20)
  package var peerToPeer = false
  package var returnDelay = SimDuration.seconds(5)

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = bridge + client

  private static let bridge: [ParameterDeclaration<Self>] = [
    .share(
      "change-threshold", \.changeThreshold,
      "bridge: acts on an estimate that differs from the last that it acted on by more than this share, up or down",
      source: "Jitsi Videobridge, reference.conf, bwe-change-threshold"),
    .duration(
      "rate-window", \.rateWindow, in: .milliseconds(100) ... .seconds(60),
      "bridge: measures the rates of layers over this sliding window; one without a bit in it is inactive",
      source:
        "Jitsi Videobridge, jitsi-media-transform/reference.conf; less than half of it counts as half [our model]"
    ),
    .duration(
      "rate-step", \.rateStep, in: .milliseconds(1) ... .milliseconds(100),
      "bridge: that window slides by this",
      source: "Jitsi Videobridge, jitsi-media-transform/reference.conf"),
    .duration(
      "reallocation-period", \.reallocationPeriod, in: .milliseconds(1) ... .seconds(86_400),
      "bridge: allocates at the latest this long after it last did",
      source: "Jitsi Videobridge, reference.conf, max-time-between-calculations"),
    .duration(
      "period-slack", \.periodSlack, in: .zero ... .seconds(10),
      "bridge: that latest allocation may come this much later",
      source: "Jitsi Videobridge, BandwidthAllocator.kt"),
    .rate(
      "initial-estimate", \.initialEstimate,
      "bridge: what it takes a downlink to carry at first, where the scenario names no start of the estimator",
      source: "Jitsi Videobridge, jitsi-media-transform/reference.conf, initial-bw"),
    .rate(
      "minimum-estimate", \.minimumEstimate,
      "bridge: lowest estimate of a downlink, where the scenario names no minimum of the estimator",
      source: "Jitsi Videobridge, jitsi-media-transform/reference.conf, min-bw"),
    .rate(
      "maximum-estimate", \.maximumEstimate,
      "bridge: highest estimate of a downlink, where the scenario names no maximum of the estimator",
      source: "Jitsi Videobridge, jitsi-media-transform/reference.conf, max-bw"),
    .flag(
      "trust-estimate", \.trustsEstimate,
      "bridge: whether the estimate counts; without it any source gets its highest layer",
      source: "Jitsi Videobridge, reference.conf, trust-bwe"),
    .integer(
      "preferred-height", \.preferredHeight, in: 1...16_384,
      "bridge: the stage's camera is served up to this height [px] before all others; below it every frame rate "
        + "counts, from it on only full ones",
      source: "Jitsi Videobridge, reference.conf, onstage-preferred-height-px"),
    .integer(
      "preferred-frame-rate", \.preferredFrameRate, in: 1...240,
      "bridge: frames per second that count as full, at most the source's own",
      source: "Jitsi Videobridge, reference.conf, onstage-preferred-framerate"),
    .integer(
      "thumbnail-height", \.thumbnailHeight, in: 0...16_384,
      "bridge: constraints up to this height [px] prefer nothing: all layers within count",
      source: "Jitsi Videobridge, SingleSourceAllocation.kt"),
    .flag(
      "oversend", \.oversends,
      "bridge: whether the first source, if it is a screen share on the stage, may exceed the estimate",
      source: "Jitsi Videobridge, reference.conf, allow-oversend-onstage"),
    .rate(
      "maximum-oversend", \.maximumOversend,
      "bridge: by how much the first source may exceed the estimate at most",
      source: "Jitsi Videobridge, reference.conf, max-oversend-bitrate"),
    .flag(
      "screen-share-full-resolution", \.prefersResolution,
      "bridge: whether a screen share on the stage is preferred only up to its full resolution at the cheapest frame "
        + "rate, as of #2444, not up to its full frame rate",
      source: "Jitsi Videobridge, pull request 2444 of September 2026"),
    .integer(
      "maximum-sources", \.maximumSources, in: 0...100_000,
      "bridge: most sources that are forwarded to a receiver, whatever it asks",
      source: "Jitsi Videobridge, reference.conf, max-video-ssrcs"),
    .integer(
      "default-height", \.defaultHeight, in: 0...16_384,
      "bridge: constraint [px] of sources without one where 'signals' say no 'default-max-height'",
      source: "Jitsi Videobridge, reference.conf, default-max-height-px"),
    .duration(
      "bridge-key-frame-spacing", \.keyFrameSpacing, in: .milliseconds(1) ... .seconds(60),
      "bridge: requests key frames of a source at most this often, in all and for each receiver",
      source: "Jitsi Videobridge, jitsi-media-transform/reference.conf, keyframe.min-interval"),
    .duration(
      "key-frame-margin", \.keyFrameMargin, in: .zero ... .seconds(60),
      "bridge: or as often as the round trip to the sender and this, where that is less",
      source: "Jitsi Videobridge, KeyframeRequester.kt"),
    .integer(
      "key-frame-requests", \.keyFrameRequests, in: 1...KeyFrameRequestRule.ViewerLimit.most,
      "bridge: most requests for key frames of a source for one receiver in 'key-frame-request-window'",
      source: "Jitsi Videobridge, jitsi-media-transform/reference.conf, keyframe.max-requests"),
    .duration(
      "key-frame-request-window", \.keyFrameRequestWindow, in: .zero ... .seconds(600),
      "bridge: the time in which those requests count",
      source: "Jitsi Videobridge, jitsi-media-transform/reference.conf, keyframe.max-request-interval"),
    .duration(
      "key-frame-group", \.keyFrameGroup, in: .zero ... .seconds(60),
      "bridge: key frames of a source's encodings that come within this time of the first are a group, of which the "
        + "first is taken even if it is lower than what is forwarded",
      source: "Jitsi Videobridge, VP8QualityFilter.java"),
  ]

  private static let client: [ParameterDeclaration<Self>] = [
    .integer(
      "last-n", \.lastN, in: -1...100_000,
      "client: most videos that are asked for where no 'signals' say it; -1 for any number",
      source: "jitsi-meet, channelLastN"),
    .integer(
      "preferred-quality", \.preferredQuality, in: 180...2160,
      "client: the user's maximum height [px] of any video; below 2160 of screen shares too",
      source: "jitsi-meet, preferredVideoQuality"),
    .integer(
      "full-resolution-participants", \.fullResolutionParticipants, in: -1...100_000,
      "client: with more tiles than this none asks for more than 360 px; -1 for any number",
      source: "jitsi-meet, maxFullResolutionParticipants"),
    .duration(
      "visibility-debounce", \.visibilityDebounce, in: .zero ... .seconds(60),
      "client: debounce of which tiles are on screen",
      source: "jitsi-meet, subscriber.ts"),
    .integer(
      "picture-in-picture-height", \.pictureInPictureHeight, in: 1...2160,
      "client: what a picture-in-picture window asks for [px]",
      source: "jitsi-meet, reduced user interface"),
    .duration(
      "reaction-delay", \.reactionDelay, "delay from a change in the meeting to the client's new message",
      source: "our model: nothing is published"),
    .flag(
      "peer-to-peer", \.peerToPeer,
      "client: whether two participants who are alone send their media to each other, and to the bridge once a third "
        + "joins",
      source: "lib-jitsi-meet, p2p.enabled; jitsi-meet has it on, here it is off unless stated"),
    .duration(
      "back-to-peer-to-peer-delay", \.returnDelay, in: .zero ... .seconds(600),
      "client: after others have left, two who are alone connect this much later",
      source: "lib-jitsi-meet, p2p.backToP2PDelay"),
  ]
}
