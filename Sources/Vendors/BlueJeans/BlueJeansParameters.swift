package import Parameters
package import Quantity
package import Systems

/// BlueJeans parameters.
package struct BlueJeansParameters: Parameterized {
  /// Layer allocated to a 360p request for a sender without a 360p encoding, such as one with 720p and 90p thumbnails
  /// (web SDK, `RTCEncodingManager`). The server's behaviour is not published: both options are our model.
  package enum Missing360p: String, Hashable, Sendable, CaseIterable {
    /// The 180p layer.
    case smaller = "180p"
    /// 720p at 15 fps if its 768 kbps fit, although larger than requested, else the 180p layer; never 720p behind a
    /// closed 720p gate.
    case larger = "720p15"
  }

  package var receiveCap = RateLimit.unlimited
  package var sendCap = RateLimit.unlimited
  package var reactionDelay = SimDuration.milliseconds(300)
  package var rampTime = SimDuration.seconds(2)
  package var recentSpeakerWindow = SimDuration.seconds(120)
  package var mainStagePoll = SimDuration.milliseconds(200)
  package var missing360p = Missing360p.smaller
  package var customSource = CustomSourceRules()
  package var floor = false

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = [
    .limit(
      "receive-cap", \.receiveCap, unlimited: "none",
      "maximum video bit rate that a client receives, RTP headers included",
      source:
        "custom layouts document none; the web SDK's own are 2400 kbps with several streams, 1200 otherwise"),
    .limit(
      "send-cap", \.sendCap, unlimited: "none", "maximum video bit rate that a participant sends",
      source: "custom layouts document none; 2400 kbps in the web SDK (RTCEncodingManager)"),
    .duration(
      "reaction-delay", \.reactionDelay, "delay from a change of participants or layout to a new request",
      source: "web SDK"),
    .duration(
      "ramp-time", \.rampTime,
      "how long a stream is limited to 180p that is new, or that a new request asks for above 180p and the last did not",
      source: "iOS custom layouts: \"a couple of seconds\"; 2 s is our model"),
    .duration(
      "recent-speaker-window", \.recentSpeakerWindow,
      "participants who spoke within this time rank above all others", source: "web SDK"),
    .duration(
      "main-stage-poll", \.mainStagePoll, in: .milliseconds(10) ... .seconds(86_400),
      "interval at which a built-in layout checks whether a new speaker can move to the main stage",
      source: "web SDK"),
    .choice(
      "missing-360p", \.missing360p, "what a 360p request gets from a sender without 360p",
      source: "our model: the server's behaviour is not published"),
    .duration(
      "custom-source-time", \.customSource.changeTime, in: .zero ... .seconds(60),
      "how long a change between camera and custom frames takes, without frames",
      source: "custom video source: the change completes later; how much later is our model"),
    .integer(
      "custom-frame-rate", \.customSource.framesPerSecond, in: 1...120,
      "frames per second of a custom source that are encoded; more are dropped",
      source: "our model: no limit is published"),
    .integer(
      "custom-frame-pixels", \.customSource.framePixels, in: 256...67_108_864,
      "a larger custom frame is refused (maxFrameSizeExceeded) [px]",
      source: "iOS SDK; the limit is not published, 1920x1080 is our model"),
    .flag(
      "floor", \.floor, "every entry gets its lowest layer before priorities apply",
      source: "not in BlueJeans: our option, like Twilio's collaboration mode"),
  ]
}
