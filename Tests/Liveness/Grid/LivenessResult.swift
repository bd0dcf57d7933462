import Ladder
import Quantity
import Statistics
import Vendors

/// A cell's runs with its system's estimator and with the oracle, seed by seed.
package struct LivenessResult: Sendable {
  package var cell: LivenessCell
  /// Length of each run.
  private var seconds = 0
  package var runs: [LivenessRun]
  package var oracle: [LivenessRun]
  /// The oracle's runs on the share of the link that real systems fill; empty if the cell falls short of nothing.
  package var filling: [LivenessRun] = []

  /// The bounds that a cell is checked against.
  package enum Bound {
    /// Minimum share of the oracle's seconds with a picture.
    package static let pictureShare = 0.95
    /// Minimum share of the rate that the oracle delivers.
    package static let delivered = 0.75
    /// Minimum share of a low estimate that is delivered; layers lie apart.
    package static let deliveredOfEstimate = 0.66
    /// Total rise of an estimate beside its probes from which it counts as rising by itself: as much as two more
    /// seconds of probing.
    package static let unprobedRise = 1.08 * 1.08
    /// Share of the capacity that real estimates reach.
    package static let fullEstimate = 0.85
    /// Share of the seconds with a full queue from which a link counts as staying full.
    package static let full = 0.5
    /// Share of the seconds with a full queue from which a link counts as full from time to time.
    package static let fullAtTimes = 0.05
    /// Loss in a second above which the estimator of 2019 decreases, and repairs count as filling a link.
    package static let loss = 0.1
    /// Time for which a picture may wait for a key frame after losses: Jitsi's window for requests [s].
    package static let keyFrameWait = JitsiParameters().keyFrameRequestWindow.seconds
    /// Minimum share of starting tiles that are given up if key frames make them too expensive.
    package static let givenUp = 0.5
    /// Longest time without a picture if the lowest layers fit [s].
    package static let gap = 5
    /// Share of the capacity left after the voices that the lowest layers must fit for that.
    package static let fit = 0.75
  }

  /// The bounds, by their letters in the table.
  package enum Shortfall: String, Sendable, CaseIterable {
    case picture = "a"
    case delivered = "b"
    case gap = "c"
  }

  package init(cell: LivenessCell, seeds: Int, seconds: Int) throws {
    try self.init(cell: cell, seeds: 1...UInt64(seeds), seconds: seconds)
  }

  private init(cell: LivenessCell, seeds: ClosedRange<UInt64>, seconds: Int) throws {
    self.cell = cell
    self.seconds = seconds
    func runs(_ estimator: String, share: Double = 1) throws -> [LivenessRun] {
      try seeds.map {
        try LivenessRun(cell, estimator: estimator, seed: $0, seconds: seconds, share: share)
      }
    }
    self.runs = try runs(cell.system.estimator)
    oracle = try runs("oracle")
    guard !shortfalls.isEmpty else { return }
    filling = try runs("oracle", share: KnownShortfall.filledShare(of: cell))
  }

  /// Runs the cell with other seeds, four times as many, since among hundreds of cells some exceed a bound by chance.
  package func repeated() throws -> LivenessResult {
    try LivenessResult(cell: cell, seeds: otherSeeds, seconds: seconds)
  }

  private var otherSeeds: ClosedRange<UInt64> { 101...(100 + 4 * UInt64(runs.count)) }

  /// Creates a result from runs.
  package init(cell: LivenessCell, runs: [LivenessRun], oracle: [LivenessRun]) {
    self.cell = cell
    self.runs = runs
    self.oracle = oracle
  }

  private static func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(max(values.count, 1))
  }

  package var pictureShare: Double { Self.mean(runs.map(\.pictureShare)) }
  package var oraclePictureShare: Double { Self.mean(oracle.map(\.pictureShare)) }
  package var delivered: Double { Self.mean(runs.map(\.delivered)) }
  package var deliveredInAll: Double { Self.mean(runs.map(\.deliveredInAll)) }
  package var oracleDelivered: Double { Self.mean(oracle.map(\.delivered)) }
  package var longestGap: Int { runs.map(\.longestGap).max() ?? 0 }
  package var longestUncongestedGap: Int { runs.map(\.longestUncongestedGap).max() ?? 0 }
  package var longestCarriedGap: Int { runs.map(\.longestCarriedGap).max() ?? 0 }
  /// Indicates whether the link stays full.
  var isFull: Bool { fullShare >= Bound.full }
  /// Indicates whether the link stays full even under the oracle, which knows its capacity.
  var oracleIsFull: Bool { Self.mean(oracle.map(\.link.fullShare)) >= Bound.full }
  /// Share of the seconds in which the link was full.
  var fullShare: Double { Self.mean(runs.map(\.link.fullShare)) }
  /// Indicates whether a stream with one key picture for all layers went without a picture for no longer than Jitsi's
  /// key frame request window.
  var isWithinRequestWindow: Bool {
    let window = Int(Bound.keyFrameWait)
    return LivenessCell.sending(cell.ladder) != nil && Bound.gap < longestGap && longestGap <= window
  }
  /// Indicates whether the estimator of 2019 has seen enough loss to be low: random loss on its link, or heavy loss at
  /// some time in each run.
  var hasLost: Bool { cell.loss >= 2 || runs.allSatisfy { $0.link.highestLoss > Bound.loss } }
  /// Indicates whether the server delivers what it can use of an estimate lower than real ones.
  var deliversLowEstimate: Bool {
    estimate < Bound.fullEstimate * 1000 * Double(cell.capacity)
      && delivered >= Bound.deliveredOfEstimate * Self.mean(runs.map(\.usable))
  }
  /// Indicates whether the oracle's pictures are all shown, or withheld because a low estimate does not carry them.
  var withholdsPictures: Bool { hasPictures(with: \.withheldShare) }
  /// Indicates whether the oracle's pictures are all shown, or lost while the path is found congested.
  var losesPicturesInCongestion: Bool { hasPictures(with: \.congestedShare) }
  /// Indicates whether the oracle's pictures are all shown, or missing after heavy losses.
  var losesPicturesToLosses: Bool { hasPictures(with: \.lossyShare) }
  package var longestCalmGap: Int { runs.map(\.longestCalmGap).max() ?? 0 }
  /// Indicates whether, in all runs, most tiles that start are given up before their key frames have left the rate
  /// window.
  var givesUpWhatBegins: Bool { runs.allSatisfy { $0.givenUpShare >= Bound.givenUp } }

  private func hasPictures(with others: KeyPath<LivenessRun, Double>) -> Bool {
    pictureShare + Self.mean(runs.map { $0[keyPath: others] }) >= Bound.pictureShare * oraclePictureShare
  }
  /// Indicates whether the system sends lower spatial layers that it does not count.
  var forwardsUncounted: Bool {
    guard let sending = LivenessCell.sending(cell.ladder) else { return false }
    return cell.system == .janus || cell.system == .mediasoup && sending.codec == .av1
  }
  package var estimate: Double { Self.mean(runs.map(\.estimate)) }
  /// Indicates whether, in all runs, estimates after congestion rise only during probes.
  package var risesByProbes: Bool {
    runs.allSatisfy { $0.wasCongested && $0.unprobedRise < Bound.unprobedRise }
  }
  /// The runs that deliver too little, beside all of the oracle's.
  package var belowOracle: LivenessResult {
    LivenessResult(
      cell: cell, runs: runs.filter { $0.delivered < Bound.delivered * oracleDelivered }, oracle: oracle)
  }
  package var oracleLongestGap: Int { oracle.map(\.longestGap).max() ?? 0 }

  package var shortfalls: [Shortfall] { shortfalls(of: oracle) }

  /// Shortfalls that remain against the oracle on the share of the link that real systems fill.
  package var remaining: [Shortfall] { filling.isEmpty ? shortfalls : shortfalls(of: filling) }

  private func shortfalls(of oracle: [LivenessRun]) -> [Shortfall] {
    var found: [Shortfall] = []
    if pictureShare < Bound.pictureShare * Self.mean(oracle.map(\.pictureShare)) { found.append(.picture) }
    if delivered < Bound.delivered * Self.mean(oracle.map(\.delivered)) { found.append(.delivered) }
    if lowestLayersFit, longestGap > Bound.gap { found.append(.gap) }
    return found
  }

  /// Indicates whether a picture of everybody is to be expected: the lowest layers fit a share of what the voices
  /// leave.
  package var lowestLayersFit: Bool { cell.lowestLayers <= Bound.fit * cell.leftByVoices }

  /// Indicates whether all frames of everybody's lowest encoding fit that share.
  var lowestEncodingsFit: Bool { cell.lowestEncodings <= Bound.fit * cell.leftByVoices }

  /// Returns whether this cell delivered less to its viewer than a narrower one: the paired 95 % interval of the
  /// difference lies entirely below zero, and so does the 99.9 % interval with other seeds. Of a grid's 95 % intervals,
  /// one in forty lies there by chance even if nothing differs.
  package func isBelow(_ narrower: LivenessResult) async throws -> Bool {
    guard Self.isBelow(runs, narrower.runs, level: 0.95) else { return false }
    async let others = rerun(with: otherSeeds)
    async let narrowerOthers = narrower.rerun(with: otherSeeds)
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
