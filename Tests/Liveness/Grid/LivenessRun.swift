import Meeting
import Metrics
import Plan
import Quantity
import Scenario
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What one run showed its viewer from ``LivenessRun/warmUp`` on.
package struct LivenessRun: Sendable {
  /// Time before which nothing counts.
  private static let warmUp = SimDuration.seconds(20)

  /// Share of the seconds of wanted tiles that had a decoded frame.
  package var pictureShare = 0.0
  /// Video received, headers and repairs included [bit/s].
  package var received = 0.0
  /// What of it was decoded, without repairs [bit/s].
  package var delivered = 0.0
  /// The same over the whole meeting.
  package var deliveredInAll = 0.0
  /// The longest that a wanted tile was without a decoded frame [s].
  package var longestGap = 0
  /// The longest stretch of such a time in which the server did not find the path congested [s].
  package var longestUncongestedGap = 0
  /// The longest stretch of such a time in which the estimate carried everybody's lowest layer and the voices [s].
  package var longestCarriedGap = 0
  /// Set if the server found the path congested at some time.
  package var wasCongested = false
  /// Estimate of the viewer's link, at most its capacity [bit/s].
  package var estimate = 0.0
  /// Rise of the estimate beyond what probes allow, as a factor: at most 8 % a second while one lasts.
  package var unprobedRise = 1.0

  /// Runs a cell's meeting.
  ///
  /// - Throws: what is wrong with its scenario.
  package init(
    _ cell: LivenessCell, estimator: String, seed: UInt64, seconds: Int, share: Double = 1
  ) throws {
    try self.init(
      Meetings.scenario(cell.scenario(estimator: estimator, seconds: seconds, share: share)), seed: seed,
      least: cell.lowestLayers + Double(cell.voices))
  }

  /// Runs a meeting with one viewer.
  ///
  /// - Parameter least: rate of everybody's lowest layer and the voices [bit/s].
  private init(_ scenario: LoadedScenario, seed: UInt64, least: Double) throws {
    let (tables, result) = try Meetings.run(scenario, seed: seed)
    // The same meeting, which is broken off.
    var beginning = scenario
    beginning.plan.duration = Self.warmUp
    let earlier = try Meetings.run(beginning, seed: seed).result
    let counted = max(1, (scenario.plan.duration - Self.warmUp).seconds)
    delivered = Double(result.decodedBytes - earlier.decodedBytes) * 8 / counted
    deliveredInAll = Double(result.decodedBytes) * 8 / scenario.plan.duration.seconds
    let congested = tables.rows(of: .events).congestedPeriods
    wasCongested = !congested.isEmpty
    let carried = estimates(tables, congestedAt: congested.first?.lowerBound, counted: counted)
      .filter { $0.rate >= least }.map(\.time)
    var wanted = 0
    var shown = 0
    var bits = 0.0
    var gaps: [String: (whole: Int, uncongested: Int, carried: Int)] = [:]
    for row in tables.rows(of: .streams) {
      let time = row.number("time_s")
      guard time > Self.warmUp.seconds else { continue }
      bits += row.number("bitrate_bps")
      // Everybody is in view: what no request has come for is missing as well.
      guard row.integerIfPresent("requested_height_px") != nil || row["state"] == "absent" else { continue }
      wanted += 1
      let source = row["source"]
      guard row.number("frames_per_second") == 0 else {
        shown += 1
        gaps[source] = nil
        continue
      }
      var gap = gaps[source, default: (0, 0, 0)]
      gap.whole += 1
      gap.uncongested = congested.contains(where: { $0.overlaps(time - 1...time) }) ? 0 : gap.uncongested + 1
      gap.carried = carried.contains(time) ? gap.carried + 1 : 0
      gaps[source] = gap
      longestGap = max(longestGap, gap.whole)
      longestCarriedGap = max(longestCarriedGap, gap.carried)
      longestUncongestedGap = max(longestUncongestedGap, gap.uncongested)
    }
    pictureShare = wanted == 0 ? 1 : Double(shown) / Double(wanted)
    received = bits / counted
  }

  /// Follows the estimate of the viewer's link.
  ///
  /// - Returns: the estimate at each time [s, bit/s].
  private mutating func estimates(
    _ tables: MemorySink, congestedAt: Double?, counted: Double
  ) -> [(time: Double, rate: Double)] {
    let probes = tables.rows(of: .events).probePeriods
    var all: [(time: Double, rate: Double)] = []
    var last: Double?
    for row in tables.rows(of: .participants) where row["participant"] == "viewer" {
      let time = row.number("time_s")
      guard row["down_estimate_bps"] != "" else { continue }
      let now = row.number("down_estimate_bps")
      all.append((time, now))
      if time > Self.warmUp.seconds { estimate += min(now, row.number("down_capacity_bps")) / counted }
      defer { last = now }
      guard let last, let congestedAt, time - 1 > congestedAt, now > last else { continue }
      let probed = probes.reduce(0) { $0 + $1.seconds(within: time - 1...time) }
      unprobedRise *= max(1, now / last / pow(1.08, probed))
    }
    return all
  }
}

extension MeetingRun.Result {
  fileprivate var decodedBytes: Int64 { tiles.reduce(0) { $0 + $1.summary.visible.decodedBytes } }
}
