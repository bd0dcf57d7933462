import Systems

extension Best {
  /// Rules by which tiles are allocated their layers.
  static let rules = [
    RuleDescription(
      "optimum",
      "The allocation of the greatest utility that the budget pays for, less what switches cost; a tile that was not "
        + "shown costs its key frame as well.",
      source: "multiple-choice knapsack, solved exactly; our yardstick"),
    RuleDescription(
      "not-shown",
      "The viewer could not be shown the source: it is off screen, muted or beyond its limits.",
      source: "our yardstick"),
    RuleDescription(
      "BestClient",
      "The client no longer subscribes.",
      source: "our yardstick"),
  ]
}
