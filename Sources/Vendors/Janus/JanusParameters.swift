package import Parameters
package import Quantity
import Systems

/// Parameters of Janus' videoroom.
package struct JanusParameters: Parameterized {
  package var allocation = false
  package var fallback = SimDuration.milliseconds(250)
  package var keyFrameTimeout = SimDuration.seconds(1)
  package var keyFrameSpacing = SimDuration.seconds(1)
  package var wantedHeadroom = BitRate.kilobits(20)
  package var cooldown = SimDuration.seconds(5)
  package var estimateInterval = SimDuration.milliseconds(250)
  package var rateWindow = SimDuration.seconds(1)
  package var inactiveTime = SimDuration.milliseconds(250)
  package var reactionDelay = SimDuration.milliseconds(20)

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] = [
    .flag(
      "allocation", \.allocation,
      "whether the server lowers substreams to a bandwidth estimate, as branch bwe-tests does; releases don't",
      source: "Janus pull request 3278 (janus_videoroom.c, bwe-tests at d397b6cb)"),
    .duration(
      "fallback", \.fallback, in: .milliseconds(1) ... .seconds(60),
      "the next lower substream is relayed when none of the current one has come for longer, until one higher than that "
        + "comes",
      source: "janus_rtp_simulcasting_context_process_rtp (rtp.c); apps can set it by stream"),
    .duration(
      "key-frame-timeout", \.keyFrameTimeout, in: .milliseconds(1) ... .seconds(60),
      "a key frame is requested at packets that are not relayed when none has been for this long",
      source: "janus_videoroom_relay_rtp_packet (janus_videoroom.c)"),
    .duration(
      "key-frame-interval", \.keyFrameSpacing, in: .milliseconds(1) ... .seconds(60),
      "requests key frames of a source at most this often, and those that come too early when that is over",
      source: "janus_videoroom_reqpli (janus_videoroom.c)"),
    .rate(
      "wanted-headroom", \.wantedHeadroom,
      "with allocation: what has to be left beyond the rate of the layer that the viewer wants, and of no other",
      source: "janus_videoroom_estimated_bandwidth (bwe-tests)"),
    .duration(
      "cooldown", \.cooldown,
      "with allocation: after a drop to a lower substream none between it and the wanted layer is taken for this long",
      source: "janus_videoroom_estimated_bandwidth (bwe-tests)"),
    .duration(
      "estimate-interval", \.estimateInterval, in: .milliseconds(1) ... .seconds(60),
      "with allocation: how often the server decides by an estimate; at once when one begins to fall",
      source: "bwe.c (bwe-tests); it enters trouble by loss or delay, here by a falling estimate"),
    .duration(
      "rate-window", \.rateWindow, in: .milliseconds(100) ... .seconds(60),
      "with allocation: measures the rates of layers over this sliding window",
      source: "janus_videoroom.c (bwe-tests): 1 s"),
    .duration(
      "inactive-time", \.inactiveTime, in: .milliseconds(100) ... .seconds(60),
      "with allocation: a substream without a packet for this long does not arrive",
      source: "rtp.c: the fallback's 250 ms"),
    .duration(
      "reaction-delay", \.reactionDelay, "delay from a change to the viewer's configure request",
      source: "our model: nothing is published"),
  ]
}
