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
        Value(.utility, gap.utility),
        Value(.optimum, gap.optimum),
        Value(.utilityRatio, ratio),
        Value(.gapEstimate, gap.estimate),
        Value(.gapReserve, gap.reserve),
        Value(.gapRule, gap.rule),
        Value(.gapSwitching, gap.switching),
        Value(.gapLoss, gap.loss),
        Value(.gapLadder, gap.ladder),
        Value(.switchesPerMinute, switches.map { Int64(($0 * 1000).rounded()) }),
        Value(.recoveryTime, recovery.map { $0.mean.nanoseconds / 1_000_000 }),
        Value(.longestRecoveryTime, recovery.map { $0.longest.nanoseconds / 1_000_000 }),
      ], scope: .participant, viewer: participants[viewer])
  }

  mutating func summarizeFairness() {
    guard yardstick.isOn else { return }
    let fairness = yardstick.fairness
    record(
      [
        Value(.jainIndex, fairness.index.map { Int64(($0 * 1e6).rounded()) })
      ], scope: .meeting)
    guard let worst = fairness.worst else { return }
    record(
      [Value(.worstSeat, Int64((worst.share * 1e6).rounded()))],
      scope: .meeting, viewer: participants[worst.viewer])
  }
}
