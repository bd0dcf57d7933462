/// When a difference between two sweeps counts as one.
package struct ComparisonRule: Sendable {
  /// What a row of the comparison is about.
  package enum Grouping: String, CaseIterable, Sendable {
    /// A metric over all points: the mean over a run's tiles, links or participants, paired over all runs.
    case metric
    /// A metric at one point of the sweep.
    case point
    /// A metric of one viewer and source over all points.
    case tile
  }

  package var grouping: Grouping
  /// The least difference that counts, as a share of BASE's mean; where that is zero every difference does.
  package var minimumEffect: Double
  /// Confidence of the intervals; what it leaves is the error rate of the whole family of tests. Above 0, below 1.
  package var level: Double

  package init(grouping: Grouping = .metric, minimumEffect: Double = 0.01, level: Double = 0.95) {
    self.grouping = grouping
    self.minimumEffect = minimumEffect
    self.level = level
  }
}

/// What a comparison found.
package enum Verdict: String, CaseIterable, Sendable {
  case worse
  case better
  /// Fewer than two pairs of runs.
  case notEnoughRuns = "not enough runs"
  case noDifference = "no difference"
}

/// Why two results can't be compared.
package struct ComparisonError: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}
