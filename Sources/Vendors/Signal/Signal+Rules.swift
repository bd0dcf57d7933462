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
      "DefaultMaxRate",
      "The viewer's client states no maximum: it gets 'default-max-rate' (5 Mbps) of video at most.",
      source: "Signal-Calling-Service, config.rs", setting: "default-max-rate"),
    RuleDescription(
      "ReceiveRate",
      "The viewer's client asks for 'receive-rate' (20 Mbps) of video at most.",
      source: "RingRTC, group_call.rs", setting: "receive-rate"),
    RuleDescription(
      "MaxRate",
      "The viewer's client asks for no more video than the 'max-rate' of its signals.",
      source: "Signal-Calling-Service, allocate_video_layers"),
    RuleDescription(
      "SignalClient",
      "The client no longer requests the video.",
      source: "RingRTC"),
  ]
}
