import Ladder
import Quantity
import Statistics
import Vendors

/// A cell's runs with its system's estimator and with the oracle, seed by seed.
package struct LivenessResult: Sendable {
  package var cell: LivenessCell
  /// Length of each run.
  private let seconds: Int
  package var runs: [LivenessRun]
  package var oracle: [LivenessRun]
  /// The oracle on the share of the link that real systems fill; empty where the cell falls short of nothing.
  package private(set) var filling: [LivenessRun] = []

  /// The bounds that a cell is held against.
  package enum Bound {
    /// Of the oracle's share of seconds with a picture.
    package static let pictureShare = 0.95
    /// Of what the oracle has delivered.
    package static let delivered = 0.75
    /// Of a low estimate, since layers lie apart.
    package static let deliveredOfEstimate = 0.66
    /// Longest time without a picture where the lowest layers fit [s].
    package static let gap = 5
    /// Share of the capacity less the voices that the lowest layers must fit for that.
    package static let fit = 0.75
  }

  /// The bounds by their letters.
  package enum Shortfall: String, Sendable, CaseIterable {
    case picture = "a"
    case delivered = "b"
    case gap = "c"
  }

  package init(cell: LivenessCell, seeds: Int, seconds: Int) throws {
    self.cell = cell
    self.seconds = seconds
    runs = try (1...UInt64(seeds)).map {
      try LivenessRun(cell, estimator: cell.system.estimator, seed: $0, seconds: seconds)
    }
    oracle = try (1...UInt64(seeds)).map {
      try LivenessRun(cell, estimator: "oracle", seed: $0, seconds: seconds)
    }
    guard !shortfalls.isEmpty else { return }
    let share = KnownShortfall.filledShare(of: cell)
    filling = try (1...UInt64(seeds)).map {
      try LivenessRun(cell, estimator: "oracle", seed: $0, seconds: seconds, share: share)
    }
  }

  private static func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(max(values.count, 1))
  }

  package var pictureShare: Double { Self.mean(runs.map(\.pictureShare)) }
  package var oraclePictureShare: Double { Self.mean(oracle.map(\.pictureShare)) }
  package var received: Double { Self.mean(runs.map(\.received)) }
  package var delivered: Double { Self.mean(runs.map(\.delivered)) }
  package var deliveredInAll: Double { Self.mean(runs.map(\.deliveredInAll)) }
  package var oracleDelivered: Double { Self.mean(oracle.map(\.delivered)) }
  package var longestGap: Int { runs.map(\.longestGap).max() ?? 0 }
  package var longestUncongestedGap: Int { runs.map(\.longestUncongestedGap).max() ?? 0 }
  package var longestCarriedGap: Int { runs.map(\.longestCarriedGap).max() ?? 0 }
  /// Whether what is received fills the link.
  var isFull: Bool { received + Double(cell.voices) > 950 * Double(cell.capacity) }
  /// Whether a stream with one key picture for all was without a picture for no longer than Jitsi's window of requests.
  var isWithinRequestWindow: Bool {
    let window = Int(JitsiParameters().keyFrameRequestWindow.seconds)
    return LivenessCell.sending(cell.ladder) != nil && Bound.gap < longestGap && longestGap <= window
  }
  /// Whether the server delivers what the voices leave of an estimate below what real ones come to.
  var deliversLowEstimate: Bool {
    estimate < 850 * Double(cell.capacity)
      && delivered >= Bound.deliveredOfEstimate * (estimate - Double(cell.voices))
  }
  /// Whether the system sends lower spatial layers that it does not count.
  var forwardsUncounted: Bool {
    guard let sending = LivenessCell.sending(cell.ladder) else { return false }
    return cell.system == .janus || cell.system == .mediasoup && sending.codec == .av1
  }
  package var estimate: Double { Self.mean(runs.map(\.estimate)) }
  /// Whether estimates after congestion rise during probes alone, in all runs.
  package var risesByProbes: Bool { runs.allSatisfy { $0.wasCongested && $0.unprobedRise < 1.1 } }
  package var oracleLongestGap: Int { oracle.map(\.longestGap).max() ?? 0 }

  package var shortfalls: [Shortfall] { shortfalls(of: oracle) }

  /// Those that remain beside what the oracle makes of the share of the link that real systems fill.
  package var remaining: [Shortfall] { filling.isEmpty ? shortfalls : shortfalls(of: filling) }

  private func shortfalls(of oracle: [LivenessRun]) -> [Shortfall] {
    var found: [Shortfall] = []
    if pictureShare < Bound.pictureShare * Self.mean(oracle.map(\.pictureShare)) { found.append(.picture) }
    if delivered < Bound.delivered * Self.mean(oracle.map(\.delivered)) { found.append(.delivered) }
    if lowestLayersFit, longestGap > Bound.gap { found.append(.gap) }
    return found
  }

  /// Whether a picture of everybody is to be expected: the lowest layers fit a share of what the voices leave.
  package var lowestLayersFit: Bool { cell.lowestLayers <= Bound.fit * cell.leftByVoices }

  /// Whether all frames of everybody's lowest encoding fit that share.
  var lowestEncodingsFit: Bool { cell.lowestEncodings <= Bound.fit * cell.leftByVoices }

  /// Whether this cell's viewer was delivered less than the viewer of a narrower one: the paired 95 % interval of the
  /// difference lies wholly below zero, and the 99.9 % interval of other seeds as well. Of a grid's intervals one in
  /// forty lies there by chance where nothing differs.
  package func isBelow(_ narrower: LivenessResult) async throws -> Bool {
    guard Self.isBelow(runs, narrower.runs, level: 0.95) else { return false }
    let seeds = 101...(100 + 4 * UInt64(runs.count))
    async let others = rerun(with: seeds)
    async let narrowerOthers = narrower.rerun(with: seeds)
    return Self.isBelow(try await others, try await narrowerOthers, level: 0.999)
  }

  private static func isBelow(_ wider: [LivenessRun], _ narrower: [LivenessRun], level: Double) -> Bool {
    let pairs = zip(narrower, wider).map { (first: $0.deliveredInAll, second: $1.deliveredInAll) }
    guard let interval = MeanDifference.paired(pairs, level: level)?.interval else { return false }
    return interval.high < 0
  }

  private func rerun(with seeds: ClosedRange<UInt64>) async throws -> [LivenessRun] {
    try seeds.map {
      try LivenessRun(cell, estimator: cell.system.estimator, seed: $0, seconds: seconds)
    }
  }
}
