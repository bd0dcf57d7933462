package import Parameters
package import Quantity

/// BlueJeans parameters.
package struct BlueJeansParameters: Parameterized {
  /// What a request for 360p gets of a sender that makes no 360p layer, as one with both 720p and 90p thumbnails (web
  /// SDK, `RTCEncodingManager`). What the server then sends is not published: both ways are our model.
  package enum Missing360p: String, Hashable, Sendable, CaseIterable {
    /// The 180p layer.
    case smaller = "180p"
    /// 720p at 15 fps where its 768 kbps fit, more pixels than were asked for; else the 180p layer. Never behind a
    /// closed 720p gate.
    case larger = "720p15"
  }

  package var receiveCap = BitRate.kilobits(2400)
  package var sendCap = BitRate.kilobits(2400)
  package var reactionDelay = SimDuration.milliseconds(300)
  package var rampTime = SimDuration.seconds(2)
  package var recentSpeakerWindow = SimDuration.seconds(120)
  package var mainStagePoll = SimDuration.milliseconds(200)
  package var missing360p = Missing360p.smaller
  package var floor = false

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = [
    .rate(
      "receive-cap", \.receiveCap, unlimited: "none", "the most video that a client receives",
      source: "web SDK: 2400 kbps with several streams, 1200 otherwise; 100 to 4096 accepted"),
    .rate(
      "send-cap", \.sendCap, unlimited: "none", "the most video that a participant sends",
      source: "web SDK (RTCEncodingManager)"),
    .duration(
      "reaction-delay", \.reactionDelay, "from a change of participants or layout to a new request",
      source: "web SDK"),
    .duration(
      "ramp-time", \.rampTime, "a new stream is shown at up to 180p for so long",
      source: "iOS custom layouts: \"a couple of seconds\"; 2 s is our model"),
    .duration(
      "recent-speaker-window", \.recentSpeakerWindow,
      "who spoke within this time ranks above those who did not", source: "web SDK"),
    .duration(
      "main-stage-poll", \.mainStagePoll, in: .milliseconds(10) ... .seconds(86_400),
      "how often a new speaker may come on the main stage of a built-in layout", source: "web SDK"),
    .choice(
      "missing-360p", \.missing360p, "what a 360p request gets of a sender without 360p",
      source: "our model: what the server sends is not published"),
    .flag(
      "floor", \.floor, "every entry gets its lowest layer before any priority counts",
      source: "not BlueJeans': an option of ours, like Twilio's collaboration mode"),
  ]
}
