import Systems

extension Signal {
  /// Rules by which tiles are allocated their layers.
  static let rules = [
    RuleDescription(
      "SignalRule",
      "The lowest encoding for everyone, then the next one for everyone, the largest requests first; what "
        + "does not fit is passed over.",
      source: "Signal-Calling-Service, allocate_video_layers"),
    RuleDescription(
      "SignalClient",
      "The client no longer requests the video.",
      source: "RingRTC"),
  ]
}
