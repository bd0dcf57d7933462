import Meeting
import Metrics
import Plan
import Quantity
import Scenario
package import TestSupport
import Testing
import Vendors

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the viewer of one run received from ``LivenessRun/warmUp`` on.
package struct LivenessRun: Sendable {
  /// Time before which nothing counts.
  private static let warmUp = SimDuration.seconds(20)
  private static let bestWindow = Best.Parameters().rateWindow.seconds

  /// Share of the seconds of requested tiles with a decoded frame.
  package var pictureShare = 0.0
  /// Share of those seconds without a frame because the tile was granted nothing for lack of bandwidth, with an
  /// estimate below ``LivenessResult/Bound/fullEstimate`` of the capacity.
  package var withheldShare = 0.0
  /// Share of those seconds without a frame while the server found the path congested.
  package var congestedShare = 0.0
  /// Share of those seconds without a frame after heavy losses.
  package var lossyShare = 0.0
  /// Share of grants to tiles that had nothing before that were withdrawn for lack of bandwidth within the time over
  /// which `best` measures.
  package var givenUpShare = 0.0
  /// Measurements of the viewer's downlink.
  package var link = Link()
  /// Decoded rate, without repairs [bit/s].
  package var delivered = 0.0
  /// Decoded rate over the whole meeting, without repairs [bit/s].
  package var deliveredInAll = 0.0
  /// Longest time that a requested tile went without a decoded frame [s].
  package var longestGap = 0
  /// Longest stretch of such a gap during which the server did not find the path congested [s].
  package var longestUncongestedGap = 0
  /// Longest stretch of such a gap during which everybody's lowest layer fit the estimate [s].
  package var longestCarriedGap = 0
  /// Longest stretch of such a gap that heavy losses do not explain [s].
  package var longestCalmGap = 0
  /// Indicates whether the server found the path congested at any time.
  package var wasCongested = false
  /// Estimate of the viewer's link, capped at its capacity [bit/s].
  package var estimate = 0.0
  /// Estimate left after the voices, zero in seconds in which nobody's lowest layer fits it [bit/s].
  package var usable = 0.0
  /// Factor by which the estimate rises beyond what probes allow, which is at most 8 % a second during one.
  package var unprobedRise = 1.0

  /// Measurements of a downlink from ``LivenessRun/warmUp`` on.
  package struct Link: Sendable {
    /// Mean queuing delay in a second beyond which the queue of 300 ms counts as full [s].
    private static let fullQueue = 0.15

    /// Rate of received voices [bit/s].
    package var voices = 0.0
    /// Share of the seconds in which the queue was full.
    package var fullShare = 0.0
    /// Highest share of packets lost in a second of the whole meeting.
    package var highestLoss = 0.0
    /// Seconds in which more than ``LivenessResult/Bound/loss`` were lost.
    private var lossySeconds: Set<Double> = []

    package init() {}

    /// Follows a viewer's link through the rows of `participants.csv`.
    package init(_ rows: [Row], after warmUp: Double) {
      var seconds = 0.0
      for row in rows {
        let loss = row.number("down_loss_frac", ifEmpty: 0)
        highestLoss = max(highestLoss, loss)
        if loss > LivenessResult.Bound.loss { lossySeconds.insert(row.number("time_s")) }
        guard row.number("time_s") > warmUp else { continue }
        seconds += 1
        voices += row.number("audio_bitrate_bps")
        if row.number("down_queue_delay_s", ifEmpty: 0) >= Self.fullQueue { fullShare += 1 }
      }
      voices /= max(1, seconds)
      fullShare /= max(1, seconds)
    }

    /// Checks whether much was lost in a second, or in those before it during which Jitsi's bridge may ask for no further
    /// key frame of the same source.
    func followsLosses(_ time: Double) -> Bool {
      lossySeconds.contains { (0...LivenessResult.Bound.keyFrameWait).contains(time - $0) }
    }
  }

  /// A run in which nothing was shown.
  package init() {}

  /// Runs a cell's meeting.
  ///
  /// - Throws: the errors of its scenario.
  package init(
    _ cell: LivenessCell, estimator: String, seed: UInt64, seconds: Int, share: Double = 1
  ) throws {
    try self.init(
      Meetings.scenario(cell.scenario(estimator: estimator, seconds: seconds, share: share)), seed: seed,
      least: cell.lowestLayers / LivenessResult.Bound.fit, tiles: cell.people - 1,
      roundTrip: 2 * Double(cell.delay) / 1000)
  }

  /// Runs a meeting with one viewer.
  ///
  /// - Parameters:
  ///   - least: capacity beside the voices that everybody's lowest layer requires [bit/s].
  ///   - roundTrip: that of the viewer's path without queues [s].
  private init(
    _ scenario: LoadedScenario, seed: UInt64, least: Double, tiles: Int, roundTrip: Double
  ) throws {
    let (tables, result) = try Meetings.run(scenario, seed: seed)
    // The same meeting, ended after the warm-up.
    var beginning = scenario
    beginning.plan.duration = Self.warmUp
    let earlier = try Meetings.run(beginning, seed: seed).result
    let counted = max(1, (scenario.plan.duration - Self.warmUp).seconds)
    delivered = Double(result.decodedBytes - earlier.decodedBytes) * 8 / counted
    deliveredInAll = Double(result.decodedBytes) * 8 / scenario.plan.duration.seconds
    let congested = tables.rows(of: .events).congestedPeriods
    wasCongested = !congested.isEmpty
    let viewer = tables.rows(of: .participants).filter { $0["participant"] == "viewer" }
    link = Link(viewer, after: Self.warmUp.seconds)
    let estimates = estimates(
      viewer, probes: tables.rows(of: .events).probePeriods(roundTrip: roundTrip),
      congestedAt: congested.first?.lowerBound, counted: counted)
    let leastOfOne = least / Double(tiles)
    usable = estimates.reduce(0) { sum, second in
      second.time > Self.warmUp.seconds && second.left >= leastOfOne ? sum + second.left / counted : sum
    }
    let carried = Set(estimates.filter { $0.left >= least }.map(\.time))
    let low = Set(estimates.filter(\.isLow).map(\.time))
    let decisions = TileDecisions(tables.rows(of: .decisions))
    givenUpShare = decisions.givenUpShare(within: Self.bestWindow)
    var wanted = 0
    var shown = 0
    var withheld = 0
    var inCongestion = 0
    var lossy = 0
    var gaps: [String: (whole: Int, uncongested: Int, carried: Int, calm: Int)] = [:]
    for row in tables.rows(of: .streams) {
      let time = row.number("time_s")
      guard time > Self.warmUp.seconds else { continue }
      // Everybody is in view: a tile that no request has arrived for is missing as well.
      guard row.integerIfPresent("requested_height_px") != nil || row["state"] == "absent" else { continue }
      wanted += 1
      let source = row["source"]
      guard row.number("frames_per_second") == 0 else {
        shown += 1
        gaps[source] = nil
        continue
      }
      var gap = gaps[source, default: (0, 0, 0, 0)]
      let isCongested = congested.contains { $0.overlaps(time - 1...time) }
      if isCongested { inCongestion += 1 }
      let isLossy = link.followsLosses(time)
      if isLossy { lossy += 1 }
      if low.contains(time), decisions.withholds(source, at: time - 1) { withheld += 1 }
      gap.whole += 1
      gap.uncongested = isCongested ? 0 : gap.uncongested + 1
      gap.carried = carried.contains(time) ? gap.carried + 1 : 0
      gap.calm = isLossy ? 0 : gap.calm + 1
      gaps[source] = gap
      longestCalmGap = max(longestCalmGap, gap.calm)
      longestGap = max(longestGap, gap.whole)
      longestCarriedGap = max(longestCarriedGap, gap.carried)
      longestUncongestedGap = max(longestUncongestedGap, gap.uncongested)
    }
    pictureShare = wanted == 0 ? 1 : Double(shown) / Double(wanted)
    withheldShare = Double(withheld) / Double(max(1, wanted))
    congestedShare = Double(inCongestion) / Double(max(1, wanted))
    lossyShare = Double(lossy) / Double(max(1, wanted))
  }

  /// The estimate of the viewer's link in a second.
  private struct Estimate {
    var time: Double
    /// Estimate left after the received voices, capped at the capacity [bit/s].
    var left: Double
    /// Indicates whether the estimate is below ``LivenessResult/Bound/fullEstimate`` of the capacity.
    var isLow: Bool
  }

  /// Follows the estimate of the viewer's link.
  private mutating func estimates(
    _ rows: [Row], probes: [ClosedRange<Double>], congestedAt: Double?, counted: Double
  ) -> [Estimate] {
    var all: [Estimate] = []
    var last: Double?
    for row in rows where row["down_estimate_bps"] != "" {
      let time = row.number("time_s")
      let now = row.number("down_estimate_bps")
      let capacity = row.number("down_capacity_bps")
      all.append(
        Estimate(
          time: time, left: min(now, capacity) - row.number("audio_bitrate_bps"),
          isLow: now < LivenessResult.Bound.fullEstimate * capacity))
      if time > Self.warmUp.seconds { estimate += min(now, capacity) / counted }
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
