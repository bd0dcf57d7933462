/// Criteria for counting a difference between two sweeps.
package struct ComparisonRule: Sendable {
  /// Scope of a row of the comparison.
  package enum Grouping: String, CaseIterable, Sendable {
    /// A metric over all points: the mean over a run's tiles, links or participants, paired over all runs.
    case metric
    /// A metric of one viewer over all points: the mean over what it is shown; each link has a separate row.
    case viewer
    /// A metric at one point of the sweep.
    case point
    /// A metric of one viewer and source over all points.
    case tile
  }

  package var grouping: Grouping
  /// Smallest difference that counts, as a share of BASE's mean; if that is zero, any difference counts.
  package var minimumEffect: Double
  /// Joint confidence level of all intervals, above 0 and below 1; its complement is the family-wise error rate of the
  /// tests.
  package var level: Double

  package init(grouping: Grouping = .metric, minimumEffect: Double = 0.01, level: Double = 0.95) {
    self.grouping = grouping
    self.minimumEffect = minimumEffect
    self.level = level
  }
}

/// Outcome of a comparison.
package enum Verdict: String, CaseIterable, Sendable {
  case worse
  /// Most pairs of runs have a value of quality in BASE alone, although it could have been seen in NEW.
  case vanished
  case better
  /// Most pairs of runs have a value of quality in NEW alone, although it could have been seen in BASE.
  case appeared
  /// Fewer than two pairs of runs.
  case notEnoughRuns = "not enough runs"
  /// The difference is shown, but is less than ``ComparisonRule/minimumEffect``.
  case tooSmall = "too small"
  /// No difference could be shown, which does not mean that there is none.
  case notShown = "not shown"
}

/// Reason why two results cannot be compared.
package struct ComparisonError: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}
