/// Metrics of the yardstick, defined in `docs/yardstick.md`.
extension ScalarMetric {
  /// Declaration of a yardstick metric.
  ///
  /// - Precondition: the metric belongs to the yardstick.
  var yardstick: Declaration {
    switch self {
    case .utility: part("utility", .bigger, "utility of what was decoded")
    case .optimum:
      part("optimum", .neither, "utility of the exact optimum at the capacity that the viewer's link had")
    case .utilityRatio: part("utility_ratio", .bigger, "utility over optimum")
    case .gapEstimate:
      part("gap_estimate", .smaller, "part of the gap: the estimate differs from the capacity")
    case .gapReserve:
      part("gap_reserve", .smaller, "part of the gap: what the budget leaves of the estimate")
    case .gapRule: part("gap_rule", .smaller, "part of the gap: the rule's choice at its budget")
    case .gapSwitching:
      part("gap_switching", .smaller, "part of the gap: decided, but not yet forwarded")
    case .gapLoss: part("gap_loss", .smaller, "part of the gap: forwarded, but not decoded")
    case .gapLadder:
      part(
        "gap_ladder", .smaller,
        "what a ladder of any bit rate would give beyond the optimum; no part of the gap")
    case .switchesPerMinute:
      Declaration(
        [.participant], "switches_per_minute", "mean", "1", .smaller, decimals: 3,
        "changes of the forwarded layer per minute of a tile on the screen")
    case .recoveryTime:
      Declaration(
        [.participant], "recovery_time", "mean", "s", .smaller, decimals: 3,
        "mean time from a rise of the capacity until the utility has come to 90 % of the optimum")
    case .longestRecoveryTime:
      Declaration(
        [.participant], "recovery_time", "max", "s", .smaller, decimals: 3,
        "longest time from a rise of the capacity until the utility has come to 90 % of the optimum")
    case .jainIndex:
      Declaration(
        [.meeting], "jain_index", "mean", "1", .bigger, decimals: 6,
        "Jain's fairness index of the viewers' utility_ratio")
    case .worstSeat:
      Declaration(
        [.meeting], "worst_seat", "mean", "1", .bigger, decimals: 6,
        "least utility_ratio of a viewer, who is named")
    default: preconditionFailure("\(self) is no metric of the yardstick")
    }
  }

  private func part(
    _ name: StaticString, _ direction: ScalarRow.Direction, _ meaning: String
  ) -> Declaration {
    Declaration([.participant], name, "mean", "1", direction, decimals: 6, meaning)
  }
}
