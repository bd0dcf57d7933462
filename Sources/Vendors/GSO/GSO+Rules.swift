import Systems

extension GSO {
  /// Rules by which tiles are allocated their layers.
  static let rules = [
    RuleDescription(
      "gso-knapsack",
      "The controller chooses the levels of greatest utility that the downlink carries.",
      source: "GSO-Simulcast (SIGCOMM 2022), section 4"),
    RuleDescription(
      "gso-merge",
      "Several viewers' levels of one size are merged into the lowest of their rates.",
      source: "GSO-Simulcast (SIGCOMM 2022), section 4"),
    RuleDescription(
      "gso-reduction",
      "The publisher's uplink does not carry all levels that were chosen, so one was lowered.",
      source: "GSO-Simulcast (SIGCOMM 2022), section 4"),
    RuleDescription(
      "GSOClient",
      "The client no longer subscribes.",
      source: "our model"),
  ]
}
