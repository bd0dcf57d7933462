import Systems

extension Agora {
  /// Rules by which tiles are allocated their layers.
  static let rules = [
    RuleDescription(
      "AgoraPolicy",
      "Every subscription gets the stream that it asks for, high or low, whatever the budget.",
      source: "Agora's dual-stream documents"),
    RuleDescription(
      "AgoraClient",
      "The client asks for the high or the low stream by its tiles, and for the low one or none when it "
        + "falls back on a weak downlink.",
      source: "Agora's dual-stream and fallback documents; the timers are our model"),
    RuleDescription(
      "AgoraUserLimit",
      "A channel with more than 'user-limit' (17) senders: each user gets so many, its own among them, at random.",
      source: "Agora's recommendation", setting: "user-limit"),
    RuleDescription(
      "AgoraFallback",
      "The client has fallen back because less than 'fallback-share' (0.95) of the streams' rates was left for "
        + "'fallback-time' (2 s) on a congested downlink: the fewest users that make the rest fit, those of high "
        + "priority last. They return one by one in the reverse order, once more than 'recovery-share' (1.1) of the "
        + "rates has been left for 'recovery-time' (500 ms).",
      source: "Agora's fallback documents; shares, times and the order are our model"),
  ]
}
