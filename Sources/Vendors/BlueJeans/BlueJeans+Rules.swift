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
      "BlueJeansClient",
      "The client no longer asks for the source.", source: "BlueJeans' custom layout guide"),
    RuleDescription(
      "RampUp",
      "A new stream, or one that a new request raises above 180 lines, is limited to 180 while it ramps up.",
      source: "BlueJeans' custom layout guide; the ramp's length is our model"),
  ]
}
