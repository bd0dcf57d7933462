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
  ]
}
