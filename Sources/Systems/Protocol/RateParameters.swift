package import Parameters
package import Quantity

/// Parameters by which the SFUs and publishers of every system adapt to their bandwidth estimates where the system's
/// own rule is not known.
package struct RateParameters: Parameterized {
  // The SFU, for each viewer.
  package var reallocationFactor = 1.05
  package var reallocationSpacing = SimDuration.seconds(1)
  package var holdShare = 0.75
  package var holdTime = SimDuration.seconds(5)
  package var holdRecoveredShare = 0.95
  package var paddingHeadroom = 1.05
  package var keyFrameSpacing = SimDuration.milliseconds(500)
  package var voiceHeadroom = 1.1
  package var voiceHold = SimDuration.seconds(3)
  // Publishers, for ladders without documented limits.
  package var leastShare = 0.6
  package var resumeFactor = 1.2
  package var encodingSteps = 20
  package var singleEncodingSteps = 500
  package var fallShare = 0.95
  package var startShare = 0.1

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = [
    .number(
      "reallocation-factor", \.reallocationFactor, in: 1...10,
      "SFU: reallocates when a budget rises above the last allocation's by this factor; at once when it falls",
      source: "our model: factors of real SFUs differ"),
    .duration(
      "reallocation-spacing", \.reallocationSpacing,
      "SFU: reallocates for a risen budget at the earliest this long after the last allocation",
      source: "our model: intervals of real SFUs differ"),
    .number(
      "hold-share", \.holdShare, in: 0...1,
      "SFU: keeps streams while the estimate is at least this share of what they need",
      source:
        "mediasoup reallocates at once below 75 % of the last estimate; more would not survive one backoff of Google "
        + "Congestion Control"),
    .duration(
      "hold-time", \.holdTime,
      "SFU: keeps streams below what they need for this long; for longer while the estimate only rises",
      source:
        "Jitsi reallocates after 5 s at the latest; LiveKit lowers its committed capacity only while estimates fall"
    ),
    .number(
      "hold-recovered-share", \.holdRecoveredShare, in: 0...1,
      "SFU: keeps them longer while the estimate recovers above this share of what they need",
      source: "LiveKit lowers its committed capacity only to 95 % of the expected usage or less"),
    .number(
      "padding-headroom", \.paddingHeadroom, in: 1...10,
      "SFU: pads for the next layer with this factor to spare, so that its first packets do not undercut it",
      source: "our model after Jitsi and mediasoup, which send padding and repeated packets"),
    .duration(
      "key-frame-spacing", \.keyFrameSpacing, in: .milliseconds(1) ... .seconds(60),
      "SFU: requests key frames of an encoding at most this often",
      source: "LiveKit's throttle for low layers"),
    .number(
      "voice-headroom", \.voiceHeadroom, in: 1...10,
      "SFU: reserves this factor of what the voices take that speak, and of the comfort noise of silent microphones",
      source: "our model: real SFUs reserve nothing, and send voices before video"),
    .duration(
      "voice-hold", \.voiceHold, "SFU: a voice counts as speaking for this long after it has ended",
      source: "our model: longer than the pauses of conversational speech (ITU-T P.59)"),
    .number(
      "encoding-least-share", \.leastShare, in: 0.01...1,
      "publisher: an encoding of simulcast without documented limits runs at this share of its rate or more",
      source: "our model: libwebrtc's minimum shares are 0.2 to 0.75"),
    .number(
      "encoding-resume-factor", \.resumeFactor, in: 1...10,
      "publisher: pads by this factor beyond the least share before such an encoding begins",
      source: "libwebrtc's hysteresis (video_stream_encoder.cc)"),
    .integer(
      "encoding-steps", \.encodingSteps, in: 1...1000,
      "publisher: such encodings change their rate in this many steps, so that offers do not follow every move",
      source: "our model"),
    .integer(
      "single-encoding-steps", \.singleEncodingSteps, in: 1...100_000,
      "publisher: a source's only encoding changes its rate in this many steps", source: "our model"),
    .number(
      "uplink-fall-share", \.fallShare, in: 0...1,
      "publisher: follows an estimate below this share of the last one at once, any other within 200 ms",
      source: "our model"),
    .number(
      "encoding-start-share", \.startShare, in: 0.01...1,
      "publisher: the lowest wanted encoding runs at this share of its rate even if the estimate carries less, "
        + "since an estimate cannot grow without media",
      source: "our model"),
  ]

  /// Share of an encoding's rate up to which the uplink is padded before the encoding starts.
  package var resumeShare: Double { leastShare * resumeFactor }
}

extension System {
  /// Keys of the rate parameters in place of which the system has rules of its own.
  package var unusedRateParameters: Set<String> {
    var keys: Set<String> = []
    if !decider.isPolicyInMeetings { keys = ["reallocation-factor", "reallocation-spacing"] }
    if !traits.forwarding.keyFrames.spacings.isEmpty { keys.insert("key-frame-spacing") }
    return keys
  }
}
