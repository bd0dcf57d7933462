import Files
package import Plan
package import Quantity

/// A parsed sweep file.
package struct SweepFile {
  /// Rule by which points are generated from variables.
  package enum Design: Sendable {
    /// Every combination; the variables of a group advance together.
    case grid(groups: [[Int]])
    /// Explicit points, each with one value per variable.
    case points([[SweepValue]])
    /// Samples of the ranges, combined with every value of the other variables.
    case sample(SampleMethod, count: Int, seed: UInt64)
  }

  package enum SampleMethod: String, CaseIterable, Sendable {
    case latinHypercube = "latin-hypercube"
    case sobol
  }

  /// Assignment of random numbers to points.
  package enum Seeds: String, CaseIterable, Sendable {
    /// Common random numbers: repetition r has the same draws at every point, which reduces the variance of
    /// differences.
    case common
    /// Every point has its own draws.
    case independent
  }

  /// Rule for repeating a point until the confidence interval of a metric's mean is narrow enough.
  package struct StopRule: Codable, Hashable, Sendable {
    package var metric: String
    package var stat: String
    /// Viewer whose rows count; empty for all.
    package var viewer: String
    /// Source whose rows count; empty for all.
    package var source: String
    /// Target half-width: a share of the mean, or an absolute value in the metric's unit.
    package var halfWidth: Double
    package var isRelative: Bool
    /// Maximum number of repetitions.
    package var maximum: Int
  }

  /// An expectation, and the points that it applies to.
  package struct PointExpectation: Sendable {
    package var expectation: Expectation
    /// Conditions that a point must satisfy for the expectation to apply.
    package var conditions: [SweepExpression]

    package init(_ expectation: Expectation, conditions: [SweepExpression] = []) {
      self.expectation = expectation
      self.conditions = conditions
    }
  }

  /// Runs of each point.
  package struct Runs: Sendable {
    package var repetitions = 1
    package var until: StopRule?
    package var seeds = Seeds.common
    /// Seed that replaces the scenario's, if any.
    package var seed: UInt64?
    /// Wall-clock limit per run.
    package var timeout = SimDuration.seconds(600)
  }

  /// Tables and metrics to keep.
  package struct Results: Sendable {
    package var keepsSeries = false
    package var compressesSeries = false
    /// Sampling interval of the tables.
    package var interval = SimDuration.seconds(1)
    /// Metrics to keep; an empty list keeps all.
    package var metrics: [String] = []
    /// Scopes to keep; an empty list keeps all.
    package var scopes: [String] = []
    /// Viewers to keep; an empty list keeps all.
    package var viewers: [String] = []
    /// Confidence level of the intervals.
    package var level = 0.95
  }

  package var name: String
  package var title: String
  /// Path of the file as the user gave it.
  package var path: String
  package var text: String
  package var scenario: ScenarioSource
  /// Settings that apply to all points.
  package var settings: [Override]
  package var variables: [SweepVariable]
  package var design: Design
  /// Conditions that a point must satisfy to be run.
  package var constraints: [SweepExpression]
  package var runs: Runs
  package var results: Results
  package var expectations: [PointExpectation]
  /// Position of the definition of the points, for messages about all of them.
  package var designPosition: FilePosition
  /// Position of `where`, or else of the definition of the points, for messages about excluded points.
  package var constraintPosition: FilePosition
}

extension SweepFile {
  /// Names of the metrics that rows can be filtered by.
  package static let metricNames: [String] = ExpectationMetric.all.map(\.metric).uniqued()
}
