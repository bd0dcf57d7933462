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
      "The next layer of the share on stage is sent, by up to 'maximum-oversend' beyond the budget.",
      source: "jitsi-videobridge, SingleSourceAllocation.kt", setting: "maximum-oversend"),
    RuleDescription(
      "off",
      "The receiver's constraint is 0, or the source has no video.",
      source: "jitsi-videobridge, EffectiveConstraints"),
    RuleDescription(
      "peer-to-peer",
      "Two participants who are alone send each other what the tiles request, without the bridge.",
      source: "lib-jitsi-meet, JitsiConference.ts", setting: "peer-to-peer"),
    RuleDescription(
      "last-n",
      "The source is not among the last-n that the receiver takes.",
      source: "jitsi-videobridge, BandwidthAllocator.kt", setting: "last-n"),
    RuleDescription(
      "maximum-sources",
      "The bridge forwards 'maximum-sources' (50) to a receiver at most, whatever it asks for.",
      source: "jitsi-videobridge, reference.conf, max-video-ssrcs", setting: "maximum-sources"),
    RuleDescription(
      "full-resolution",
      "With more tiles than 'full-resolution-participants' (2) the client requests no more than 360 lines of any.",
      source: "jitsi-meet, maxFullResolutionParticipants", setting: "full-resolution-participants"),
    RuleDescription(
      "preferred-quality",
      "The client requests no more lines of any video than the user's 'preferred-quality' (2160).",
      source: "jitsi-meet, preferredVideoQuality", setting: "preferred-quality"),
    RuleDescription(
      "default-height",
      "The client states no constraint for the source: it gets up to 'default-height' (180) lines.",
      source: "jitsi-videobridge, reference.conf, default-max-height-px", setting: "default-height"),
    RuleDescription(
      "picture-in-picture-height",
      "A picture-in-picture window requests 'picture-in-picture-height' (180) lines.",
      source: "jitsi-meet, reduced user interface", setting: "picture-in-picture-height"),
    RuleDescription(
      "JitsiClient",
      "The client no longer wants the source.",
      source: "lib-jitsi-meet, ReceiveVideoController"),
  ]
}
