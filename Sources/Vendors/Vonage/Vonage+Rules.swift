import Systems

extension Vonage {
  /// Rules by which tiles are allocated their layers.
  static let rules = [
    RuleDescription(
      "VonagePolicy",
      "Every stream first gets its lowest layer, larger preferred sizes first; then each the best layer "
        + "within a share of the budget in proportion to its preferred pixels, and what is left raises them "
        + "in turn.",
      source: "Vonage's documents on preferred resolution for the ceilings; the shares are our model"),
    RuleDescription(
      "VonageClient",
      "The client no longer subscribes to the video.",
      source: "Vonage's documents on subscribers"),
    RuleDescription(
      "AudioFallback",
      "The subscriber has fallen back to audio alone: the budget did not cover the streams' minimums, 'fallback-minimum' "
        + "(150 kbps) each, or the downlink lost more than 'fallback-loss' (0.15) of its packets. Video returns once the "
        + "budget has covered 'recovery-factor' (1.2) times that for 'recovery-time' (5 s).",
      source: "Vonage's audio fallback guides; the thresholds are our model"),
  ]
}
