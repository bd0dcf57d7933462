import Systems

extension BlueJeans {
  /// Rules by which tiles are allocated their layers.
  static let rules = [
    RuleDescription(
      "BlueJeansPolicy",
      "The requests share the budget by priority, high first; within a priority whoever has the lowest "
        + "layer is raised first, and nobody above someone of a higher priority whose next layer the budget "
        + "denies.",
      source: "BlueJeans' custom layout guide for the order of priorities; how equals share is our model"),
    RuleDescription(
      "StreamLimit", "A client receives 25 videos at most.", source: "BlueJeans' custom layout guide"),
    RuleDescription(
      "Missing360p",
      "A request of 360 lines gets 'missing-360p' (180p) of a source without an encoding of 360.",
      source: "our model: the server's behaviour is not published", setting: "missing-360p"),
    RuleDescription(
      "BlueJeansClient",
      "The client no longer asks for the source.", source: "BlueJeans' custom layout guide"),
    RuleDescription(
      "RampUp",
      "A new stream, or one that a new request raises above 180 lines, is limited to 180 for 'ramp-time' (2 s).",
      source: "BlueJeans' custom layout guide; the ramp's length is our model"),
  ]
}
