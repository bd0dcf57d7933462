package import Meeting
import Quantity
import Scenario
import TestSupport

/// What one run showed its viewer from ``LivenessRun/warmUp`` on.
package struct LivenessRun: Sendable {
  /// Time before which nothing counts [s].
  package static let warmUp = 20.0

  /// Share of the seconds of wanted tiles that had a decoded frame.
  package var pictureShare = 0.0
  /// Video received, headers and repairs included [bit/s].
  package var delivered = 0.0
  /// The longest that a wanted tile was without a decoded frame [s].
  package var longestGap = 0
  /// The same without the seconds in which the path had congested during a probe.
  package var longestGapOutsideProbes = 0

  /// Runs a cell's meeting.
  ///
  /// - Throws: what is wrong with its scenario.
  package init(
    _ cell: LivenessCell, estimator: String, seed: UInt64, seconds: Int, share: Double = 1
  ) throws {
    let scenario = try Meetings.scenario(
      cell.scenario(estimator: estimator, seconds: seconds, share: share))
    try self.init(scenario.plan, seed: seed)
  }

  /// Runs a meeting with one viewer.
  package init(_ plan: MeetingPlan, seed: UInt64) throws {
    var sink = LivenessSink()
    _ = try MeetingRun.run(plan, seed: seed, runID: "", into: &sink)
    var wanted = 0
    var shown = 0
    var bits = 0.0
    var gaps: [String: (whole: Int, outsideProbes: Int)] = [:]
    let rows = sink.rows
    let congested = sink.congestedProbes
    for row in rows where row.time > Self.warmUp {
      bits += row.bitrate
      guard row.isWanted else { continue }
      wanted += 1
      guard row.framesPerSecond == 0 else {
        shown += 1
        gaps[row.source] = nil
        continue
      }
      var gap = gaps[row.source, default: (0, 0)]
      gap.whole += 1
      if !congested.contains(where: { $0.overlaps(row.time - 1...row.time) }) { gap.outsideProbes += 1 }
      gaps[row.source] = gap
      longestGap = max(longestGap, gap.whole)
      longestGapOutsideProbes = max(longestGapOutsideProbes, gap.outsideProbes)
    }
    pictureShare = wanted == 0 ? 1 : Double(shown) / Double(wanted)
    delivered = bits / max(1, plan.duration.seconds - Self.warmUp)
  }
}
