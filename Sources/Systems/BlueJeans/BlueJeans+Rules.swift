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
      "The client no longer asks for the source, or holds a new request for more than 180 lines at 180 "
        + "while it ramps up.",
      source: "BlueJeans' custom layout guide; the ramp's length is our model"),
  ]
}
