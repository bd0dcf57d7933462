import Systems

extension Stream {
  /// Rules by which tiles are allocated their layers.
  static let rules = [
    RuleDescription(
      "StreamPolicy",
      "The tile's size selects the layer; when the budget is short every visible tile first gets its "
        + "lowest layer, in order, then all are raised one layer at a time.",
      source:
        "Stream's video renderer guide and LiveKit's selection rule; the order under shortage is our model"),
    RuleDescription(
      "ReportedSize",
      "The client reports its tiles in points, of which the screen has fewer than pixels.",
      source: "Stream's SDKs for iOS and JavaScript", setting: "reported-size"),
    RuleDescription(
      "peer-to-peer",
      "Two participants who are alone send each other what the tiles request, without the SFU.",
      source: "our model: nothing is published", setting: "peer-to-peer"),
    RuleDescription(
      "StreamClient",
      "The client no longer subscribes: the tile is hidden, scrolled away or paused.",
      source: "Stream's video renderer guide"),
  ]
}
