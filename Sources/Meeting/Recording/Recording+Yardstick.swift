import Allocation
import Metrics
import Quantity

/// The yardstick's rows of `scalars.csv`.
extension Recording {
  mutating func summarizeYardstick(of viewer: Int, at now: SimTime) {
    guard let gap = yardstick.gap(of: viewer) else { return }
    let ratio = gap.optimum > 0 ? Int64((Double(gap.utility) / Double(gap.optimum) * 1e6).rounded()) : nil
    let recovery = yardstick.recovery(of: viewer)
    let switches = yardstick.switchesPerMinute(of: viewer, at: now)
    record(
      [
        Value("utility", "mean", "1", .bigger, gap.utility, 6),
        Value("optimum", "mean", "1", .neither, gap.optimum, 6),
        Value("utility_ratio", "mean", "1", .bigger, ratio, 6),
        Value("gap_estimate", "mean", "1", .smaller, gap.estimate, 6),
        Value("gap_reserve", "mean", "1", .smaller, gap.reserve, 6),
        Value("gap_rule", "mean", "1", .smaller, gap.rule, 6),
        Value("gap_switching", "mean", "1", .smaller, gap.switching, 6),
        Value("gap_loss", "mean", "1", .smaller, gap.loss, 6),
        Value("gap_ladder", "mean", "1", .smaller, gap.ladder, 6),
        Value(
          "switches_per_minute", "mean", "1", .smaller, switches.map { Int64(($0 * 1000).rounded()) }, 3),
        Value("recovery_time", "mean", "s", .smaller, recovery.map { $0.mean.nanoseconds / 1_000_000 }, 3),
        Value("recovery_time", "max", "s", .smaller, recovery.map { $0.longest.nanoseconds / 1_000_000 }, 3),
      ], scope: "participant", viewer: participants[viewer])
  }

  mutating func summarizeFairness() {
    guard yardstick.isOn else { return }
    let fairness = yardstick.fairness
    record(
      [
        Value("jain_index", "mean", "1", .bigger, fairness.index.map { Int64(($0 * 1e6).rounded()) }, 6)
      ], scope: "meeting")
    guard let worst = fairness.worst else { return }
    record(
      [Value("worst_seat", "mean", "1", .bigger, Int64((worst.share * 1e6).rounded()), 6)],
      scope: "meeting", viewer: participants[worst.viewer])
  }
}
