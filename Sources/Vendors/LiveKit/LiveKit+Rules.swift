import Systems

extension LiveKit {
  /// Rules by which tiles are allocated their layers.
  static let rules = [
    RuleDescription(
      "ServerTrack+Optimal",
      "As far as the server knows, no track is short of bandwidth, or this one had its chance before: it has the "
        + "highest layer within the viewer's settings that arrives.",
      source: "LiveKit, pkg/sfu/forwarder.go, AllocateOptimal"),
    RuleDescription(
      "LiveKitServer+AllocateAll",
      "While the downlink is deficient the committed capacity is shared out, tracks of a higher priority "
        + "first and one layer of each at a time.",
      source: "LiveKit, pkg/sfu/streamallocator, allocateAllTracks"),
    RuleDescription(
      "LiveKitServer+Cooperative",
      "While the downlink is deficient a track that changes takes what is idle, or what tracks of less "
        + "need give back.",
      source: "LiveKit, pkg/sfu/streamallocator, allocateTrack"),
    RuleDescription(
      "LiveKitServer+Boost",
      "A probe has found more capacity, which raises the most deficient tracks by a layer.",
      source: "LiveKit, pkg/sfu/streamallocator, maybeBoostDeficientTracks"),
    RuleDescription(
      "PixelDensity",
      "Adaptive stream reports 'pixel-density' (1.0) pixels for each point of a tile, and the screen has more.",
      source: "livekit-client, AdaptiveStreamSettings.pixelDensity", setting: "pixel-density"),
    RuleDescription(
      "LiveKitClient",
      "The client has disabled or dropped the track.",
      source: "livekit-client, adaptive stream"),
  ]
}
