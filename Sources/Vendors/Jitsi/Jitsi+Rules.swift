import Systems

extension Jitsi {
  /// Rules by which tiles are allocated their layers.
  static let rules = [
    RuleDescription(
      "stage",
      "No other source gets anything until the one on stage has its preferred layer.",
      source: "jitsi-videobridge, SingleSourceAllocation.kt"),
    RuleDescription(
      "round",
      "Each source in turn takes one layer more if that costs less than what is left.",
      source: "jitsi-videobridge, BandwidthAllocator.kt"),
    RuleDescription(
      "cheaper",
      "A higher layer that costs no more than the one of the round is taken instead.",
      source: "jitsi-videobridge, SingleSourceAllocation.kt"),
    RuleDescription(
      "oversend",
      "The lowest layer of the share on stage is sent beyond the budget.",
      source: "jitsi-videobridge, BandwidthAllocator.kt"),
    RuleDescription(
      "off",
      "The receiver's constraint is 0, or the source has no video.",
      source: "jitsi-videobridge, EffectiveConstraints"),
    RuleDescription(
      "last-n",
      "The source is not among the last-n that the receiver takes.",
      source: "jitsi-videobridge, BandwidthAllocator.kt"),
    RuleDescription(
      "JitsiClient",
      "The client no longer wants the source.",
      source: "lib-jitsi-meet, ReceiveVideoController"),
  ]
}
