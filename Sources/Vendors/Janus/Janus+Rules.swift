import Systems

extension Janus {
  /// Rules by which tiles are allocated their layers.
  static let rules = [
    RuleDescription(
      "JanusPolicy",
      "The viewer's encoding is relayed whatever the bandwidth, or the next lower one while that does not "
        + "arrive.",
      source: "Janus, janus_rtp_simulcasting_context_process_rtp"),
    RuleDescription(
      "janus-relay",
      "What the viewer names is relayed whatever the bandwidth.",
      source: "Janus, plugins/janus_videoroom.c"),
    RuleDescription(
      "janus-wanted",
      "The wanted layer fits what the subscriptions before it leave.",
      source: "Janus' branch bwe-tests, janus_videoroom_estimated_bandwidth"),
    RuleDescription(
      "janus-lower",
      "The highest layer below the wanted one that fits what the subscriptions before it leave.",
      source: "Janus' branch bwe-tests, janus_videoroom_estimated_bandwidth"),
    RuleDescription(
      "janus-unchanged",
      "Nothing fits what the subscriptions before it leave, so the stream stays at its last layer.",
      source: "Janus' branch bwe-tests, janus_videoroom_estimated_bandwidth"),
    RuleDescription(
      "JanusClient",
      "The client no longer subscribes.",
      source: "Janus' videoroom demo"),
  ]
}
