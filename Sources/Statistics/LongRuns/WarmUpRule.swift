package import Quantity

/// Rule for truncating the start of a run, which is not yet in steady state.
package enum WarmUpRule: Equatable, Sendable {
  /// Truncates a length determined from the series (``WarmUpDeletion/mser5(_:)``).
  case mser5
  /// Truncates every interval that begins before this time.
  case fixed(SimDuration)

  /// Determines the number of values that the rule truncates from a series.
  ///
  /// - Parameter interval: spacing of the values in simulated time, above zero.
  package func deletion(from series: [Double], interval: SimDuration) -> WarmUpDeletion {
    switch self {
    case .mser5: return .mser5(series)
    case .fixed(let time):
      let whole = max(1, interval.nanoseconds)
      let intervals = (max(0, time.nanoseconds) + whole - 1) / whole
      return WarmUpDeletion(deleted: min(series.count, Int(intervals)), isSettled: true)
    }
  }
}

/// Warm-up truncated from a series.
package struct WarmUpDeletion: Equatable, Sendable {
  /// Number of leading values truncated.
  package let deleted: Int
  /// Set if the rule converged; if not, the run is too short to distinguish its warm-up from its steady state.
  package let isSettled: Bool

  package init(deleted: Int, isSettled: Bool) {
    self.deleted = deleted
    self.isSettled = isSettled
  }

  /// Finds the truncation point that minimises the standard error of the rest, searched over means of five values in
  /// the first half of the run (MSER-5: White, Cobb, Spratt, "A comparison of five steady-state truncation heuristics
  /// for simulation", Winter Simulation Conference 2000).
  ///
  /// A series of fewer than 20 values, or with a non-finite one, is left whole and counts as not settled; so does one
  /// whose best point is at the end of its first half.
  package static func mser5(_ series: [Double]) -> WarmUpDeletion {
    let batch = 5
    let means = (0..<series.count / batch).map { number in
      series[number * batch..<(number + 1) * batch].reduce(0, +) / Double(batch)
    }
    guard means.count >= 4, means.allSatisfy(\.isFinite) else {
      return WarmUpDeletion(deleted: 0, isSettled: false)
    }
    // Mean and squared deviations of increasingly long tails, from the end backwards (Welford).
    var mean = 0.0
    var squares = 0.0
    var best = (start: 0, score: Double.infinity)
    let last = means.count / 2
    for start in means.indices.reversed() {
      let size = Double(means.count - start)
      let step = means[start] - mean
      mean += step / size
      squares += step * (means[start] - mean)
      let score = squares / (size * size)
      if start <= last, score <= best.score { best = (start, score) }
    }
    return WarmUpDeletion(deleted: best.start * batch, isSettled: best.start < last)
  }
}
